// The word of a `switch` of a constant is pasted by a macro: clang keeps nothing of it, so that how long the literal lives is not known.
#define PASTE(a, b) a##b
extern int __VERIFIER_nondet_int(void);
struct point { int x; };
int main(void)
{
    struct point *kept = 0;
    PASTE(sw, itch) (1) { case 1: kept = &(struct point){__VERIFIER_nondet_int()}; } //~ unknown(valid-deref)
    return kept->x & 1;
}
