// Fig. 6 of "2LS for program analysis": with its precondition no arithmetic overflows.
extern int __VERIFIER_nondet_int(void);
extern void __CPROVER_assume(int);

#define LONGEST 1000

static int numbers[LONGEST];

static void bubble_sort(int *array, int size) {
    __CPROVER_assume(size >= 0);
    int c, d, swap;

    for (c = 0; c < size - 1; c++) {
        for (d = 0; d < size - c - 1; d++) {
            if (array[d] > array[d + 1]) {
                swap = array[d];
                array[d] = array[d + 1];
                array[d + 1] = swap;
            }
        }
    }
}

int main(void) {
    int size = __VERIFIER_nondet_int();
    __CPROVER_assume(size <= LONGEST);
    bubble_sort(numbers, size);
    return 0;
}
