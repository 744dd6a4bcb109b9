#pragma pack(1)
struct wide {
    unsigned a : 30, b : 30, c : 30, d : 30, e : 30;
};

static struct wide w = {1, 2, 3, 4, 5};

/* The compiler reads these bit-fields as one integer of 152 bits. */
int main(void) {
    return w.c - 3; //~ unknown(unreach-call)
}
