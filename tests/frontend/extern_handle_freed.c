// What is returned may be a block that the caller has to free.
#include <stdlib.h>
extern char *make_text(int number);

int main(void) {
    char *text = make_text(5); //~ unknown(valid-free)
    free(text);
    return 0;
}
