//~ options: --property memsafety --engines graph
//~ memsafety: true
// A file is read line by line and closed.
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc != 2)
        return 2;
    FILE *file = fopen(argv[1], "r");
    if (!file)
        return 1;
    char line[256];
    unsigned long lines = 0, bytes = 0;
    while (fgets(line, sizeof line, file)) {
        size_t n = strlen(line);
        bytes += n;
        if (n && line[n - 1] == '\n')
            lines++;
    }
    fclose(file);
    return lines > bytes;
}
