// That a function without a body leaves a global alone is no reason for a verdict either.
//~ termination: unknown
//~ no-overflow: unknown
extern void poll(void);
int done, count = 2147483647;

int main(void) {
    while (!done) poll();
    count++;
    return 0;
}
