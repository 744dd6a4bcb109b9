// What is returned may be what was given.
#include <assert.h>
extern char *skip(char *text, int count);

int main(void) {
    char text[8] = "abc";
    char *rest = skip(text, 1); //~ unknown(unreach-call)
    assert(rest != text);
    return 0;
}
