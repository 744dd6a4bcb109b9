/* What qsort and its kin share. C leaves open which elements are compared, how often and in which order, and how equal ones are
 * ordered (C17 7.22.5). Runs go one way: merge sort, bottom up, stable, in place. All other ways are for proofs (belay_otherwise):
 *
 * A comparison that may change memory can tell all of that. So any number of any two elements is compared, any two change places in
 * between, and nothing is known of the order at the end.
 *
 * One that changes nothing (PURE) can tell nothing, as long as it is consistent. Then all that is open is which pairs it is called on, which
 * matters to what goes wrong in it only, and the order of equal elements. The first is covered by one call on any two elements, since the
 * elements stay what they are wherever they stand. The second is a choice in each merge: by induction over the runs, each order of equal
 * elements can be reached. That it is consistent is asked of any three elements: -sgn(ji) = sgn(ij), and ij <= 0, jk <= 0 give ik <= 0. If
 * that holds whatever the comparison's own choices are, its sign is a function of the two elements. Where it is not shown, a proof of
 * anything assumes it, since it is a precondition like any other (C17 7.22.5p4).
 *
 * The including file defines SORT_PARAMETERS (the comparison and what goes with it), SORT_ARGUMENTS and ORDER(a, b). */
#ifndef BELAY_SORT_H
#define BELAY_SORT_H

#include "belay.h"

/* Whole elements are moved, so that pointers in them stay pointers; `spare` has room for one. */
static void swap_elements(char *a, char *b, size_t n, char *spare)
{
    if (a == b)
        return;
    memcpy(spare, a, n);
    memcpy(a, b, n);
    memcpy(b, spare, n);
}

static char *any_element(char *elements, size_t count, size_t size)
{
    return elements + belay_size_at_most(count - 1) * size;
}

#ifdef PURE
static _Bool contradicts(int ij, int ji, int jk, int ik)
{
    if ((ij < 0) != (ji > 0) || (ij > 0) != (ji < 0))
        return 1;
    return ij <= 0 && jk <= 0 && ik > 0;
}
#endif

/* Covers, for proofs, what the merge sort does not do. */
static _Bool sorts_otherwise(char *elements, size_t count, size_t size, char *spare, SORT_PARAMETERS)
{
    if (!belay_otherwise("which elements qsort compares is open"))
        return 0;
#ifdef PURE
    (void)spare;
    char *i = any_element(elements, count, size), *j = any_element(elements, count, size);
    char *k = any_element(elements, count, size);
    int ij = ORDER(i, j), ji = ORDER(j, i);
    int jk = ORDER(j, k), ik = ORDER(i, k);
    __belay_precondition(!contradicts(ij, ji, jk, ik), "qsort: comparison is consistent");
    __VERIFIER_assume(0);
#else
    for (size_t left = __VERIFIER_nondet_ulong(); left > 0; left--) {
        char *i = any_element(elements, count, size), *j = any_element(elements, count, size);
        if (__VERIFIER_nondet_bool())
            swap_elements(i, j, size, spare);
        else
            (void)ORDER(i, j);
    }
#endif
    return 1;
}

/* Whether the element on the left comes first. */
static _Bool goes_first(int order)
{
#ifdef PURE
    return order < 0 || (order == 0 && !belay_otherwise("how qsort orders equal elements is open"));
#else
    return order <= 0;
#endif
}

/* Merges [low, middle) with [middle, high). */
static void merge_runs(char *elements, size_t low, size_t middle, size_t high, size_t size, char *spare, SORT_PARAMETERS)
{
    /* Each round takes an element: there are no more rounds than elements. */
    for (size_t steps = high; steps > 0 && low < middle && middle < high; steps--) {
        if (!goes_first(ORDER(elements + low * size, elements + middle * size))) {
            for (size_t k = middle; k > low; k--)
                swap_elements(elements + (k - 1) * size, elements + k * size, size, spare);
            middle++;
        }
        low++;
    }
}

static void sort(char *elements, size_t count, size_t size, SORT_PARAMETERS)
{
    char spare[size + 1];
    if (sorts_otherwise(elements, count, size, spare, SORT_ARGUMENTS))
        return;
    /* Widths double, and each pair of runs has an element: the loops would end without being counted. That they do is seen at once if they are. */
    for (size_t width = 1, rounds = 8 * sizeof count; width < count && rounds > 0; rounds--, width = width > count / 2 ? count : 2 * width)
        for (size_t low = 0, pairs = count; count - low > width && pairs > 0; pairs--) {
            size_t middle = low + width, high = count - middle < width ? count : middle + width;
            /* It never is; that the loop goes on to its end is seen without knowing how wide runs are. */
            if (high <= low)
                break;
            merge_runs(elements, low, middle, high, size, spare, SORT_ARGUMENTS);
            low = high;
        }
}

#endif
