int main(void) {
    float level = 300.5f;
    unsigned char byte = (unsigned char)level; //~ false(arithmetic)
    return byte == 0;
}
