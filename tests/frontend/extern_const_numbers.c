// Where a pointer to const leads to numbers only, nothing is changed, wherever they lie.
//~ unreach-call: true
#include <assert.h>
struct size {
    int width, height[2];
};
extern void look(const struct size *size);
extern void show(const char *text);

static void both(const struct size *size, const char *text) {
    look(size);
    show(text);
}

int main(void) {
    struct size size = {1, {2, 3}};
    char text[2] = "a";
    both(&size, text);
    assert(size.height[1] == 3 && text[0] == 'a');
    return 0;
}
