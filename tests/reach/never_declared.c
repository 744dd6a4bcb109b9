//~ unreach-call: unknown
// As never_declared_fixed.c, but the variable is read in another pass through its block than the one that wrote it.
extern void reach_error(void);
int main(void) {
    for (int i = 0; i < 2; i++) {
        switch (i) {
            int x;
        case 0:
            x = 3;
            break;
        case 1:
            if (x != 3)
                reach_error();
        }
    }
    return 0;
}
