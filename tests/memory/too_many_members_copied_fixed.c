//~ all: true
struct small {
    int a;
};
struct large {
    int a[20];
};

int main(void) {
    struct large l = {{1}};
    struct small s;
    struct small *p = (struct small *)&l;
    s = *p;
    return s.a - 1;
}
