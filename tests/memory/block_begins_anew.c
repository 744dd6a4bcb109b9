// As block_begins_anew_fixed.c, but the literal of the block's earlier pass is read: it ended when the jump left the block. Whether the label stands before the block or in it is not seen.
//~ memsafety: unknown
int main(void) {
    int i = 0;
    int *p = 0;
again: {
    if (i == 1)
        return *p;
    p = &(int){3};
    i = 1;
    goto again;
}
}
