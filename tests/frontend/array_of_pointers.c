// What the pointers in an array point to can't be said: no verdict rests on it.
//~ options: --function first --array argv=1
//~ valid-deref: unknown(pointers in an --array)
char first(char **argv) {
    return argv[0] ? *argv[0] : 0;
}
