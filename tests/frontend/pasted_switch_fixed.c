// A macro that pastes other words.
//~ all: true
#define PASTE(a, b) a##b
extern int __VERIFIER_nondet_int(void);
struct point { int x; };
int main(void)
{
    struct point *PASTE(ke, pt) = 0;
    kept = &(struct point){__VERIFIER_nondet_int()};
    return kept->x & 1;
}
