//~ termination: false
// A tree whose leaf leads back to its root.
struct node {
    struct node *left, *right;
    int value;
};

static int sum(const struct node *node) {
    if (!node)
        return 0;
    return node->value + sum(node->left) + sum(node->right);
}

int main(void) {
    struct node root = {0, 0, 1}, leaf = {0, 0, 2};
    root.left = &leaf;
    leaf.right = &root;
    return sum(&root);
}
