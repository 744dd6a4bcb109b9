//~ all: true
// The same with a variable that is written in each pass.
extern void reach_error(void);
int main(void)
{
    for (int i = 0; i < 2; i++) {
        if (i)
            goto behind;
        int number;
behind:
        number = 7 + i;
        if (number != 7 + i)
            reach_error();
    }
    return 0;
}
