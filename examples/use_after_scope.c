static const char *describe(int level) {
    const char *text = "normal";
    if (level > 3) {
        char warning[] = "warning";
        text = warning;
    }
    return text;
}

int main(void) { return describe(5)[0]; }
