//~ options: --stdin given/line.txt --args=
#include <stdio.h>

/* The line that is given has nine letters. */
int main(int argc, char **argv) {
    char word[9];
    int c, n = 0;
    while ((c = getchar()) != EOF && c != '\n')
        word[n++] = (char)c;
    word[n] = 0; //~ false(valid-deref)
    return argc + (argv[1] == 0) + word[0];
}
