/* One step of a scanf from a stream, for formats that are known when the program is translated: the call becomes one call for each
 * conversion. The stream's content is arbitrary, see scan_stream.h. `done` counts the conversions so far; once the scan has stopped it is
 * -2 - r, where r is what scanf returns. */
#include "belay.h"

/* Whether the next conversion succeeds. */
static inline _Bool belay_scan_goes_on(FILE *stream, int *done)
{
    struct belay_stream *state = __belay_stream(stream);
    if (*done < 0)
        return 0;
    _Bool ended = state->eof && !state->pushed;
    if (!ended && belay_stream_differs(state)) {
        *done = -2 - *done;
        return 0;
    }
    if (!ended && belay_stream_gives(state)) {
        state->pushed = 0;
        return 1;
    }
    if (!ended)
        belay_stream_ends(state);
    *done = *done == 0 ? -2 - EOF : -2 - *done;
    return 0;
}
