//~ options: -- -std=gnu89
//~ all: true
/* As it was written in 1985. */
static count = 3;

twice(n)
{
    return 2 * n;
}

char *pick(list, index)
    char **list;
    int index;
{
    return list[index];
}

float mean(a, n)
    float *a;
    short n;
{
    float s = 0;
    register i;
    for (i = 0; i < n; i++)
        s += a[i];
    return s / n;
}

main()
{
    char *names[2];
    float a[2];
    names[0] = "a";
    names[1] = "b";
    a[0] = 1;
    a[1] = 2;
    if (twice(count) != 6 || *pick(names, 1) != 'b' || mean(a, 2) != 1.5)
        abort();
    return 0;
}
