//~ termination: unknown
/* The stack has no end here, and no state recurs. */
static int dive(int n) { return dive(n) + 1; }

int main(void) { return dive(0); }
