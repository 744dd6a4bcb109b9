//~ options: --property memsafety
// The file may not be there.
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc != 2)
        return 2;
    FILE *file = fopen(argv[1], "r");
    char line[256];
    unsigned long lines = 0, bytes = 0;
    while (fgets(line, sizeof line, file)) { //~ false(valid-deref)
        size_t n = strlen(line);
        bytes += n;
        if (n && line[n - 1] == '\n')
            lines++;
    }
    fclose(file);
    return lines > bytes;
}
