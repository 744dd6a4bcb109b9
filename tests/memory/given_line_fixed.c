//~ options: --stdin given/line.txt --args=
//~ all: true
#include <stdio.h>

/* The line that is given has nine letters. */
int main(int argc, char **argv) {
    char word[10];
    int c, n = 0;
    while ((c = getchar()) != EOF && c != '\n')
        word[n++] = (char)c;
    word[n] = 0;
    return argc + (argv[1] == 0) + word[0];
}
