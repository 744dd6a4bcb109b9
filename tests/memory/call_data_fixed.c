//~ all: true
static int code;

static void set(void) { code = 1; }

int main(void) {
    void (*f)(void) = set;
    f();
    return code - 1;
}
