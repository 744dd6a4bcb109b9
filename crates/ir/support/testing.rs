//! What the tests of this crate share: a builder of small functions, and random control-flow graphs.

use belay_base::{Id, Span};

use belay_ir::{
    BinaryOp, Block, BlockId, CType, DataLayout, DataModel, FuncId, FuncKind, Function, Inst, InstId, IntPredicate,
    Local, ObligationDetail, ObligationId, Op, Operand, Param, Program, Property, Terminator, Type,
};

pub(crate) const I32: Type = Type::Int(32);

/// A generator with a fixed seed: tests give the same answer everywhere.
pub(crate) struct Random(fastrand::Rng);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0.u64(..bound)
    }
}

/// Random edges between `count` blocks; none goes to the entry.
pub(crate) fn random_edges(seed: u64, count: usize) -> Vec<Vec<u32>> {
    let mut random = Random::new(seed + 1);
    let count = count as u64;
    let target = |random: &mut Random| (1 + random.below((count - 1).max(1))) as u32;
    (0..count)
        .map(|_| if count == 1 { vec![] } else { (0..random.below(4)).map(|_| target(&mut random)).collect() })
        .collect()
}

/// Which blocks the entry reaches when `removed` is taken out.
pub(crate) fn reaches_without(edges: &[Vec<u32>], removed: u32) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    let mut stack = vec![0_u32];
    while let Some(block) = stack.pop() {
        if block != removed && !std::mem::replace(&mut seen[block as usize], true) {
            stack.extend(&edges[block as usize]);
        }
    }
    seen
}

/// A function without instructions whose blocks go where `edges` say.
pub(crate) fn function_of_edges(edges: &[Vec<u32>]) -> Function {
    let mut function = empty_function("graph");
    for targets in edges {
        let term = match targets.as_slice() {
            [] => Terminator::Return(vec![]),
            [only] => Terminator::Jump(BlockId(*only)),
            [default, rest @ ..] => Terminator::Switch {
                value: Operand::int(32, 7),
                cases: (0..).zip(rest.iter().map(|target| BlockId(*target))).collect(),
                default: BlockId(*default),
            },
        };
        function.blocks.push(Block { name: String::new(), insts: vec![], term, term_span: Span::NONE });
    }
    function
}

/// A defined function that still lacks its blocks.
pub(crate) fn empty_function(name: &str) -> Function {
    Function::empty(name, FuncKind::Defined)
}

/// Builds a program of one function, `main`, that returns an `i32`. Instructions go to the current block.
pub(crate) struct Builder {
    pub(crate) program: Program,
    pub(crate) function: Function,
    current: BlockId,
    counts: [u32; Property::ALL.len()],
}

impl Builder {
    /// A function with `blocks` blocks, all ending in `return 0`.
    pub(crate) fn new(blocks: usize, params: &[Type]) -> Self {
        let mut function = empty_function("main");
        function.results = vec![I32];
        function.params =
            (0..).zip(params).map(|(n, ty)| Param { name: format!("p{n}"), ty: *ty, byval: None }).collect();
        for number in 0..blocks {
            let term = Terminator::Return(vec![Operand::int(32, 0)]);
            function.blocks.push(Block { name: format!("b{number}"), insts: vec![], term, term_span: Span::NONE });
        }
        let program = Program::new(DataLayout::new(DataModel::Lp64));
        Self { program, function, current: BlockId(0), counts: [0; Property::ALL.len()] }
    }

    /// Goes on in block `number`.
    pub(crate) fn at(&mut self, number: u32) -> &mut Self {
        self.current = BlockId(number);
        self
    }

    pub(crate) fn push(&mut self, op: Op, ty: Option<Type>) -> InstId {
        let id = self.function.insts.push(Inst { op, ty, span: Span::NONE });
        self.function.blocks[self.current].insts.push(id);
        id
    }

    pub(crate) fn value(&mut self, op: Op, ty: Type) -> Operand {
        Operand::Inst(self.push(op, Some(ty)))
    }

    fn next_number(&mut self, property: Property) -> u32 {
        let count = &mut self.counts[property as usize];
        *count += 1;
        *count
    }

    pub(crate) fn obligation(&mut self, property: Property, detail: ObligationDetail) -> ObligationId {
        let number = self.next_number(property);
        self.program.add_obligation(property, FuncId::new(0), Span::NONE, detail, number)
    }

    pub(crate) fn binary(&mut self, op: BinaryOp, lhs: Operand, rhs: Operand) -> Operand {
        let ty = self.function.operand_type(lhs).expect("the operand has a value");
        self.value(Op::Binary { op, lhs, rhs }, ty)
    }

    pub(crate) fn compare(&mut self, op: IntPredicate, lhs: Operand, rhs: Operand) -> Operand {
        self.value(Op::Compare { op, lhs, rhs }, Type::BOOL)
    }

    pub(crate) fn phi(&mut self, ty: Type, incoming: &[(u32, Operand)]) -> Operand {
        let incoming = incoming.iter().map(|(block, value)| (BlockId(*block), *value)).collect();
        self.value(Op::Phi { incoming }, ty)
    }

    /// A local of `size` bytes with a stack object.
    pub(crate) fn local(&mut self, name: &str, size: u128, scoped: bool) -> InstId {
        let op = Op::Alloca { size: Operand::int(64, size), align: 4, scoped, dynamic: false };
        let id = self.push(op, Some(Type::Ptr));
        let ctype = if size > 8 { CType::Aggregate } else { CType::Signed };
        self.function.locals.push(Local {
            name: name.into(),
            ctype,
            span: Span::NONE,
            alloca: Some(id),
            members: Vec::new(),
            pointee: None,
        });
        id
    }

    pub(crate) fn load(&mut self, ptr: Operand, ty: Type) -> Operand {
        let obligation = self.obligation(Property::ValidDeref, ObligationDetail::Load);
        self.value(Op::Load { ptr, align: 1, volatile: false, obligation }, ty)
    }

    pub(crate) fn store(&mut self, ptr: Operand, value: Operand) -> InstId {
        let obligation = self.obligation(Property::ValidDeref, ObligationDetail::Store);
        self.push(Op::Store { ptr, value, align: 1, volatile: false, obligation }, None)
    }

    pub(crate) fn field(&mut self, object: InstId, offset: i64) -> Operand {
        let offset = Operand::int(64, offset as u128);
        self.value(Op::PtrAdd { base: Operand::Inst(object), offset }, Type::Ptr)
    }

    pub(crate) fn check(&mut self, cond: Operand) -> ObligationId {
        let obligation = self.obligation(Property::NoOverflow, ObligationDetail::SignedAdd);
        self.push(Op::Check { cond, obligation }, None);
        obligation
    }

    pub(crate) fn jump(&mut self, target: u32) {
        self.end(Terminator::Jump(BlockId(target)));
    }

    pub(crate) fn branch(&mut self, cond: Operand, then: u32, otherwise: u32) {
        self.end(Terminator::Branch { cond, then: BlockId(then), otherwise: BlockId(otherwise) });
    }

    pub(crate) fn ret(&mut self, value: Operand) {
        self.end(Terminator::Return(vec![value]));
    }

    pub(crate) fn end(&mut self, term: Terminator) {
        self.function.blocks[self.current].term = term;
    }

    /// The program, with the function in it.
    pub(crate) fn finish(mut self) -> Program {
        self.program.functions.push(self.function);
        self.program
    }
}

/// The obligations that instructions in blocks still carry, sorted.
pub(crate) fn obligations_of(program: &Program) -> Vec<ObligationId> {
    let mut found: Vec<ObligationId> = program
        .functions
        .iter()
        .flat_map(|function| function.placed_insts().flat_map(|(_, inst)| function.insts[inst].op.obligations()))
        .collect();
    found.sort();
    found
}
