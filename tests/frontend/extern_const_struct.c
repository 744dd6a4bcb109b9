// The struct is const, what its pointer leads to is not.
struct buffer {
    int *data;
    int size;
};
extern void fill(const struct buffer *buffer);

int main(void) {
    int x = 1;
    struct buffer buffer = {&x, 1};
    fill(&buffer); //~ unknown(valid-deref)
    return x;
}
