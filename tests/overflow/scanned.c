#include <stdio.h>

int main(void)
{
    int number;
    if (scanf("%d", &number) != 1)
        return 1;
    number *= 2; //~ false(no-overflow)
    return number == 4;
}
