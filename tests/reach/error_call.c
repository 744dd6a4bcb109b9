extern void reach_error(void);

int main(void) {
    for (int i = 0; i < 10; i++)
        if (i == 9)
            reach_error(); //~ false(unreach-call)
    return 0;
}
