// A function looks through the address of a local that is declared const.
//~ all: true
#include <string.h>
extern int __VERIFIER_nondet_int(void);
static int get(const int *place) { return *place; }
static const char *find(const char *text) { return strchr(text, 'l'); }
int main(void)
{
    const int limit = __VERIFIER_nondet_int();
    const char text[] = "hello";
    return get(&limit) == limit && find(text) ? 0 : 1;
}
