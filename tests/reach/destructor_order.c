// Destructors run in the order opposite to that of constructors: of priorities the greatest comes first, and the last in the file of those without one before all of them.
#include <assert.h>
static int done;
__attribute__((destructor(101))) static void first(void) { assert(done != 3); } //~ false(unreach-call)
__attribute__((destructor(102))) static void second(void) { done += done == 2; }
__attribute__((destructor)) static void third(void) { done += done == 1; }
__attribute__((destructor)) static void fourth(void) { done += done == 0; }
int main(void) { return 0; }
