/* Contracts for Belay, in macros that any C compiler accepts: they are nothing but where Belay reads the file.
 *
 *     int sum(const int *a, unsigned n)
 *     belay_requires(belay_is_fresh(a, n * sizeof *a))
 *     belay_assigns()
 *     belay_ensures(belay_result >= 0)
 *     {
 *         for (unsigned i = 0; i < n; i++)
 *         belay_invariant(i <= n)
 *         belay_decreases(n - i)
 *         { ... }
 *     }
 *
 * `belay check --enforce sum` checks the body against the contract, `--replace sum` takes the contract in place of the body. */
#ifndef BELAY_CONTRACTS_H
#define BELAY_CONTRACTS_H

#ifdef __BELAY__

/* Of functions: between the parameters and the body, or the semicolon. */
#define belay_requires(...) __CPROVER_requires(__VA_ARGS__)
#define belay_ensures(...) __CPROVER_ensures(__VA_ARGS__)
#define belay_assigns(...) __CPROVER_assigns(__VA_ARGS__)
#define belay_frees(...) __CPROVER_frees(__VA_ARGS__)
/* Of loops: between the condition and the body. */
#define belay_invariant(...) __CPROVER_loop_invariant(__VA_ARGS__)
#define belay_decreases(...) __CPROVER_decreases(__VA_ARGS__)

#else

#define belay_requires(...)
#define belay_ensures(...)
#define belay_assigns(...)
#define belay_frees(...)
#define belay_invariant(...)
#define belay_decreases(...)

#endif

/* Inside of clauses. */
/* p points to a block of its own, of n bytes */
#define belay_is_fresh(p, n) __CPROVER_is_fresh(p, n)
/* p points to characters and a 0 */
#define belay_is_string(p) __CPROVER_is_cstring(p)
/* p points to elements, the last of which is 0 */
#define belay_is_terminated(p) __BELAY_is_terminated(p)
/* p points to characters and a 0, and n more bytes behind it */
#define belay_has_room(p, n) __BELAY_has_room(p, n)
/* p points h bytes into a block that has n more bytes there; n may speak of what stands before p */
#define belay_has_header(p, h, n) __BELAY_has_header(p, h, n)
/* the number of 1, 2, 4 or 8 bytes at p, aligned or not */
#define belay_number(p, bytes) __BELAY_number(p, bytes)
/* f points to a function that returns, and changes nothing that this one can see */
#define belay_is_function(f) __BELAY_is_function(f)
/* p points into a block of the heap */
#define belay_is_heap(p) __CPROVER_DYNAMIC_OBJECT(p)
/* n bytes from p on may be read, written */
#define belay_readable(p, n) __CPROVER_r_ok(p, n)
#define belay_writable(p, n) __CPROVER_w_ok(p, n)
/* what the function returns, and what an expression was when it was entered, or the loop */
#define belay_result __CPROVER_return_value
#define belay_old(e) __CPROVER_old(e)
#define belay_at_loop(e) __CPROVER_loop_entry(e)
/* in assigns: the whole object that p points into, or n bytes from p on */
#define belay_object(p) __CPROVER_object_whole(p)
#define belay_bytes(p, n) __CPROVER_object_upto(p, n)
/* for all k from `from` to before `to`; for some k */
#define belay_forall(type, k, from, to, ...) \
    __CPROVER_forall { type k; ((from) <= k && k < (to)) ==> (__VA_ARGS__) }
#define belay_exists(type, k, from, to, ...) \
    __CPROVER_exists { type k; (from) <= k && k < (to) && (__VA_ARGS__) }

#endif
