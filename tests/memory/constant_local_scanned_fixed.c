// A constant local is compared with what scanf reads, and printed.
//~ memsafety: true
#include <stdio.h>
int main(void)
{
    const int limit = 1;
    int n = 0;
    scanf("%d", &n);
    printf("%d of %d\n", n, limit);
    return n > limit;
}
