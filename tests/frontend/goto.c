//~ all: true
#include <assert.h>

/* A loop with two entries: irreducible. */
static int irreducible(int start, int n) {
    int count = 0;
    if (start)
        goto b;
a:
    count += 1;
    if (--n <= 0)
        goto end;
b:
    count += 100;
    if (--n > 0)
        goto a;
end:
    return count;
}

static int nested(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i * j == 6)
                goto found;
    return 0;
found:
    return 1;
}

int main(void) {
    assert(irreducible(0, 5) == 203 && irreducible(1, 4) == 202 && irreducible(1, 1) == 100);
    assert(nested(4) && !nested(3));
    int i = 0;
back:
    if (i++ < 3)
        goto back;
    assert(i == 4);
    return 0;
}
