// As prefix_compared_fixed.c for short lines, but the end of the word is compared too: it may be the end of the text.
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[3];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    const char *p = line;
    while (*p == ' ')
        p++;
    if (strncmp(p, "no", 3) == 0)
        p += 3;
    return *p == 0; //~ false(valid-deref)
}
