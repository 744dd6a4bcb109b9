static int half(int n) {
    if (n % 2)
        throw n;
    return n / 2;
}

int main() {
    try {
        return half(3); //~ unknown(unreach-call)
    } catch (int n) {
        return n;
    }
}
