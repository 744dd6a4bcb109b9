//! Tests of the models as they are built in.

use super::*;

#[test]
fn sources_of_models_are_told_from_others() {
    assert!(is_model_file("models/strtod.c") && is_model_file("models/float.h"));
    assert!(!is_model_file("models/main.c") && !is_model_file("strtod.c") && !is_model_file("src/models/strtod.c"));
}

#[test]
fn each_model_defines_what_it_is_named_after_and_nothing_else() {
    assert!(!MODELS.is_empty());
    let context = Context::new();
    for (model, bitcode) in MODELS.iter().flat_map(|model| [(model, model.lp64), (model, model.ilp32)]) {
        let module = context.parse(model.defines, bitcode).expect("models are valid bitcode");
        let all = module.functions().into_iter().chain(module.globals());
        let defined: Vec<String> =
            all.filter(|value| !value.is_declaration() && !value.is_local()).map(|value| value.name()).collect();
        assert_eq!(defined, [model.defines]);
    }
}
