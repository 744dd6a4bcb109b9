//~ termination: false
/* The stack has no end here. */
static int dive(int n) { return dive(n) + 1; }

int main(void) { return dive(0); }
