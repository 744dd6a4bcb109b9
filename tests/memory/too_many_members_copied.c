struct small {
    int a;
};
struct large {
    int a[20];
};

int main(void) {
    struct small s = {1};
    struct large l;
    struct large *p = (struct large *)&s;
    l = *p; //~ false(valid-deref)
    return l.a[0];
}
