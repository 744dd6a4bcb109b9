#define ITEMS (SIZE + 1)
