// What the first of them finds at the end.
//~ unreach-call: true
#include <assert.h>
static int done;
__attribute__((destructor(101))) static void first(void) { assert(done == 3); }
__attribute__((destructor(102))) static void second(void) { done += done == 2; }
__attribute__((destructor)) static void third(void) { done += done == 1; }
__attribute__((destructor)) static void fourth(void) { done += done == 0; }
int main(void) { return 0; }
