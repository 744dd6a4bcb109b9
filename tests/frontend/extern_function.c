//~ unreach-call: true
//~ termination: true
/* Without a body: returns an arbitrary number and changes nothing, as the verdict says. */
extern int sensor(void);

int main(void) {
    int x = sensor();
    return x > 3;
}
