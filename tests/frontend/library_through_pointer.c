// A library function without a model is refused where it is called, through a pointer too.
//~ memsafety: unknown(call of setlocale)
#include <locale.h>
static char *(*const choose)(int, const char *) = setlocale;

int main(void) {
    char *(*volatile late)(int, const char *) = choose;
    return late(LC_ALL, "C") ? 0 : 1;
}
