// A heap that takes one number too many.
extern int __VERIFIER_nondet_int(void);

#define ROOM 100
static int heap[ROOM], n;

static void push(int x) {
    if (n > ROOM)
        return;
    int i = n++;
    while (i > 0 && heap[(i - 1) / 2] > x) {
        heap[i] = heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap[i] = x;
}

static int pop(void) {
    int top = heap[0], x = heap[--n], i = 0;
    while (2 * i + 1 < n) {
        int child = 2 * i + 1;
        if (child + 1 < n && heap[child + 1] < heap[child])
            child++;
        if (heap[child] >= x)
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = x;
    return top;
}

int main(void) {
    int rounds = __VERIFIER_nondet_int();
    while (rounds-- > 0) {
        if (__VERIFIER_nondet_int())
            push(__VERIFIER_nondet_int());
        else if (n > 0)
            pop();
    }
    return 0;
}

//~ options: --engines graph
//~ memsafety: unknown
