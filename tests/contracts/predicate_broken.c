//~ options: --enforce last
// Predicates of the project's own say what pointers lead to: a null pointer is among it.
#include <stdbool.h>
#include <stddef.h>

bool is_buffer(const char *buf, size_t max)
{
    return (0U < max) & (__CPROVER_is_fresh(buf, max));
}

bool is_cursor(const char *buf, size_t max, size_t *start)
{
    return is_buffer(buf, max) & (start == NULL || __CPROVER_is_fresh(start, sizeof(*start)));
}

char last(const char *buf, size_t *start, size_t max)
__CPROVER_requires(is_cursor(buf, max, start))
__CPROVER_assigns(start != NULL : *start)
{
    *start = max - 1; //~ false(valid-deref)
    return buf[max - 1];
}
