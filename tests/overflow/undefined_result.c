/* A function that returns nothing: its result may be the least int. */
static int nothing(void) {}

int main(void) {
    return nothing() - 1; //~ false(no-overflow)
}
