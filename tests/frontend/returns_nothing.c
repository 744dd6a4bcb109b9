//~ all: true
int last;
void main() { last = 1; }
