extern "C" int __VERIFIER_nondet_int();

struct shape {
    virtual int area() const = 0;
    virtual ~shape() {}
};

struct square : shape {
    int side, *log;
    explicit square(int s) : side(s), log(new int(s)) {}
    ~square() { delete log; }
    int area() const { return side * side; }
};

int main() {
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k > 4)
        return 0;
    shape *s = new square(k);
    int a = s->area();
    delete s;
    return a + s->area(); //~ false(valid-deref)
}
