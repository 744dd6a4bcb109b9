// Lines are read one after the other and cut at their commas, after the line break is taken off: what the table of places held before says nothing.
//~ options: --engines graph
//~ memsafety: true
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[256], *fields[16];
    long total = 0;
    while (fgets(line, sizeof line, stdin)) {
        size_t length = strlen(line);
        if (length && line[length - 1] == '\n')
            line[--length] = 0;
        int n = 0;
        char *p = line;
        while (n < 16) {
            fields[n++] = p;
            char *comma = strchr(p, ',');
            if (!comma)
                break;
            *comma = 0;
            p = comma + 1;
        }
        if (n >= 2)
            total += strlen(fields[0]) + strlen(fields[1]);
        for (int i = 0; i < n; i++)
            printf("[%s]", fields[i]);
    }
    printf("%ld\n", total);
    return 0;
}
