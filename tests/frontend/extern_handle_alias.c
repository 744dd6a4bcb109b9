//~ unreach-call: unknown
// What is written through a pointer that was returned may be what was given.
#include <assert.h>
extern char *skip(char *text, int count);

int main(void) {
    char text[8] = "abc";
    char *rest = skip(text, 1);
    text[0] = 'a';
    *rest = 'z';
    assert(text[0] == 'a');
    return 0;
}
