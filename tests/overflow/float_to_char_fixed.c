//~ all: true
int main(void) {
    float level = 255.5f;
    unsigned char byte = (unsigned char)level;
    return byte != 255;
}
