//~ options: --args 3,words,-x --stdin given.txt --files given
//~ all: true
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void arguments(int argc, char **argv) {
    assert(argc == 4 && argv[4] == NULL);
    assert(atoi(argv[1]) == 3 && strcmp(argv[3], "-x") == 0);
    argv[2][0] = 'T';
    assert(strlen(argv[2]) > 3 && argv[2][0] == 'T');
}

static void standard_input(void) {
    char line[32];
    assert(fgets(line, sizeof line, stdin) == line && strcmp(line, "first line\n") == 0);
    assert(fgets(line, 4, stdin) && strcmp(line, "sec") == 0);
    assert(getchar() == 'o' && ungetc('o', stdin) == 'o' && getchar() == 'o');
    assert(ungetc('Z', stdin) == 'Z' && getchar() == 'Z');
    assert(fgets(line, sizeof line, stdin) && strcmp(line, "nd\n") == 0);
    int n;
    unsigned x;
    double d;
    char word[8], mark;
    assert(scanf("%d %x%lf %7[a-z]%%%c", &n, &x, &d, word, &mark) == 5);
    assert(n == 42 && x == 0x1f && d == -7.5 && strcmp(word, "word") == 0 && mark == '!');
    assert(scanf("%d", &n) == 0 && !feof(stdin));
    char *text = NULL;
    size_t size = 0;
    assert(getline(&text, &size, stdin) == 20 && strcmp(text, "last without newline") == 0);
    assert(getline(&text, &size, stdin) == -1 && feof(stdin) && getchar() == EOF && scanf("%d", &n) == EOF);
    free(text);
}

static void files(void) {
    char text[64];
    errno = 0;
    assert(fopen("nothing.ini", "r") == NULL && errno == ENOENT);
    assert(fopen("nowhere/new.txt", "w") == NULL && errno == ENOENT);
    FILE *f = fopen("./settings.ini", "r");
    assert(f != NULL && fseek(f, 0, SEEK_END) == 0 && ftell(f) == 35);
    rewind(f);
    assert(fread(text, 1, sizeof text, f) == 35 && memcmp(text, "name = value\n", 13) == 0 && feof(f));
    assert(fputc('x', f) == EOF && ferror(f));
    assert(fclose(f) == 0);
    f = fopen("deep//bytes.bin", "rb");
    assert(f != NULL && fgetc(f) == 'x' && fgetc(f) == 0 && fgetc(f) == 'y' && fgetc(f) == EOF);
    fclose(f);
}

static void written(void) {
    char text[64];
    FILE *f = fopen("deep/new.txt", "w+");
    assert(f != NULL && fprintf(f, "%d-%s", 17, "abc") == 6 && fputs("\nmore", f) >= 0 && fwrite("!?", 1, 2, f) == 2);
    assert(fseek(f, 1, SEEK_SET) == 0 && fputc('_', f) == '_' && fflush(f) == 0);
    rewind(f);
    assert(fgets(text, sizeof text, f) && strcmp(text, "1_-abc\n") == 0);
    fclose(f);
    f = fopen("deep/new.txt", "a");
    assert(f != NULL && fputs("end", f) >= 0 && fclose(f) == 0);
    f = fopen("deep/new.txt", "r");
    assert(f != NULL && fseek(f, -7, SEEK_END) == 0 && fgets(text, sizeof text, f) && strcmp(text, "re!?end") == 0);
    fclose(f);
    assert(remove("deep/new.txt") == 0 && fopen("deep/new.txt", "r") == NULL && remove("deep/new.txt") == -1);
}

int main(int argc, char **argv) {
    arguments(argc, argv);
    standard_input();
    files();
    written();
    fprintf(stderr, "%s\n", "done");
    return 0;
}
