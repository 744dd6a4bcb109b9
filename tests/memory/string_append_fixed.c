//~ all: true
#include <assert.h>
#include <string.h>

int main(void) {
    char path[11] = "/tmp/";
    strcat(path, "notes");
    assert(strcmp(path, "/tmp/notes") == 0);
    return 0;
}
