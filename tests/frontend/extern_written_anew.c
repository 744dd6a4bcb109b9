// What the program writes after the call is known again.
extern void poll(void);
int count;

int main(void) {
    poll();
    count = 2147483647;
    count++; //~ false(no-overflow)
    return 0;
}
