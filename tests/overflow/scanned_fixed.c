//~ no-overflow: true
//~ memsafety: true
#include <stdio.h>
#include <limits.h>

int main(void)
{
    int number;
    if (scanf("%d", &number) != 1)
        return 1;
    if (number > INT_MAX / 2 || number < INT_MIN / 2)
        return 2;
    number *= 2;
    return number == 4;
}
