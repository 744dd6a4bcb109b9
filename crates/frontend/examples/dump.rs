fn main() {
    let mut source = belay_frontend::Source::default();
    let mut quiet = false;
    for a in std::env::args().skip(1) {
        match a.as_str() {
            "-m32" => source.model = belay_ir::DataModel::Ilp32,
            "-q" => quiet = true,
            _ => source.files.push(a.into()),
        }
    }
    match belay_frontend::load(&source) {
        Ok(p) => {
            if !quiet {
                println!("{}", belay_ir::print_program(&p));
            }
            for f in p.functions.iter() {
                for (_, i) in f.placed_insts() {
                    if let belay_ir::Op::Unsupported { what } = &f.insts[i].op {
                        eprintln!("UNSUP {what} at {}", p.files.describe(f.insts[i].span));
                    }
                }
            }
            for f in p.functions.iter() {
                if f.kind == belay_ir::FuncKind::Extern {
                    eprintln!("EXTERN {}", f.name);
                }
            }
        }
        Err(e) => {
            eprintln!("ERR {e}");
            std::process::exit(2)
        }
    }
}
