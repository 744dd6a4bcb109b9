// A table that is const leads to a variable that is not.
extern void work(void);
static int state;
struct entry {
    const char *name;
    int *place;
};
const struct entry table[] = {{"state", &state}};

int main(void) {
    work(); //~ unknown(valid-deref)
    return state;
}
