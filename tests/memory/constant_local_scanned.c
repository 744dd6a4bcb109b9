// What scanf reads goes where a constant local is.
#include <stdio.h>
int main(void)
{
    const int limit = 1;
    scanf("%d", (int *)&limit); //~ unknown(valid-deref)
    return limit > 5;
}
