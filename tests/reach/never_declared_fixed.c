//~ unreach-call: true
// A variable before the first case of a switch is declared where control never gets; it may be used all the same.
extern void reach_error(void);
int main(void) {
    switch (1) {
        int x;
    case 0:
    case 1:
        x = 3;
        if (x != 3)
            reach_error();
    }
    return 0;
}
