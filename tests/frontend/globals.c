//~ all: true
#include <assert.h>
#include <stddef.h>

struct inner { short s; const char *text; };
struct outer { char c; struct inner in[2]; int *where; union { double d; long l; } u; int (*f)(void); };

static int one(void) { return 1; }
int tentative;
int tentative;
extern int later;
static int array[8] = {1, 2, [5] = 6, 7};
static int *middle = &array[3];
static int *before_end = array + 8 - 1;
static int **indirect = &middle;
static char text[] = "abc", padded[6] = "abc", exact[3] = "abc";
static const char *words[] = {"zero", "one" " and a half", [3] = "three"};
static struct outer object = {'c', {{1, "x"}, {.text = &text[1]}}, &array[5], {.l = 7}, one};
static double real = 1.5e3;
static float single = -0.0f;
static const void *self = &self;
static ptrdiff_t distance = &array[7] - &array[2];
static size_t offset = offsetof(struct outer, where);
static int matrix[2][3] = {{1, 2, 3}, {4}};
static _Bool flag = 12;
static char *end_of_text = text + sizeof text;
int later = 42;
static struct { int n; int tail[]; } flexible = {2, {10, 20}};

static int counter(void) {
    static int calls = 100;
    return calls++;
}

int main(void) {
    assert(tentative == 0 && later == 42 && array[6] == 7 && array[2] == 0 && *before_end == 0);
    assert(middle == array + 3 && **indirect == 0 && indirect == &middle);
    assert(sizeof text == 4 && padded[5] == 0 && exact[2] == 'c');
    assert(words[1][3] == ' ' && words[1][4] == 'a');
    assert(words[2] == NULL && words[3][0] == 't');
    assert(object.in[0].s == 1 && object.in[1].text[0] == 'b' && *object.where == 6 && object.u.l == 7 && object.f() == 1);
    assert(real == 1500.0 && single == 0.0f && self == &self && distance == 5);
    assert(offset == offsetof(struct outer, where));
    assert(matrix[0][2] == 3 && matrix[1][0] == 4 && matrix[1][2] == 0 && flag == 1);
    assert(end_of_text[-1] == 0 && end_of_text - text == 4);
    assert(flexible.tail[1] == 20);
    counter();
    assert(counter() == 101);
    return 0;
}
