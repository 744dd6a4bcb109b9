#pragma pack(1)
struct wide {
    signed a : 29, b : 30, c : 8, d : 20, e : 19, f : 30, g : 4, h : 9;
};

static struct wide w = {54, -20196, 4, -811, -463, 23560, 0, 10};

/* The compiler reads the first of these bit-fields as one integer of 136 bits. */
int main(void) {
    return w.b; //~ unknown(unreach-call)
}
