// Other files find the variable by a pointer that they see, though this one makes no use of it.
#include <assert.h>
extern void work(void);
static int state;
int *shared = &state;

int main(void) {
    work(); //~ unknown(valid-deref)
    return state;
}
