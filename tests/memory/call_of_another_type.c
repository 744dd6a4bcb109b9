// Which of two functions is called depends on the input; one has another type than the call takes for granted.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct ops {
    int (*test)(void *);
    int n;
};

static int is_three(long x) { return x == 3; }
static int is_given(void *p) { return p != NULL; }

static void choose(struct ops *o, int n) {
    if (n > 3)
        o->test = (int (*)(void *))is_three;
    else
        o->test = is_given;
}

int main(void) {
    struct ops *o = malloc(sizeof *o);
    choose(o, __VERIFIER_nondet_int());
    void *p = malloc(4);
    int found = o->test(p);
    free(p);
    free(o);
    return found;
}

//~ memsafety: unknown
