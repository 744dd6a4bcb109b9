//~ memsafety: true
//~ memcleanup: true
//~ no-overflow: true
//~ unreach-call: true
/* Errors by longjmp, as test frameworks and interpreters use it. */
#include <setjmp.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

static jmp_buf *handler;
static int depth;

static void fail(int code) {
    longjmp(*handler, code);
}

static void parse(int levels) {
    char text[4];
    text[0] = (char)levels;
    depth++;
    if (levels > 2)
        fail(7);
    if (levels > 0)
        parse(levels - 1);
    depth += text[0] > 100;
}

static int guarded(int levels) {
    jmp_buf here, *outer = handler;
    volatile int tries = 0;
    int kept = levels;
    handler = &here;
    int code = setjmp(here);
    if (code == 0) {
        tries = 1;
        parse(levels);
    } else {
        __VERIFIER_assert(code == 7 && tries == 1 && kept == levels);
        kept = -1;
    }
    handler = outer;
    return kept;
}

int main(void) {
    int levels = __VERIFIER_nondet_int();
    if (levels < 0 || levels > 4)
        return 0;
    int answer = guarded(levels);
    __VERIFIER_assert(answer == (levels > 2 ? -1 : levels));
    jmp_buf again;
    volatile int rounds = 0;
    if (setjmp(again) < 3) {
        rounds++;
        longjmp(again, rounds);
    }
    __VERIFIER_assert(rounds == 3);
    return 0;
}
