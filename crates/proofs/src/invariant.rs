//! What k-induction and rankings of machine integers say: rows, formulas over elements, what a cut loop changes. A new kind of row has to be listed here.

use belay_invariants::{
    Against, Array, Atom, BaseKey, Bound, Cut, CutPlace, Cutting, Element, Elements, ForAll, Formula, Havoc,
    IndexRange, Limit, Literal, ObjectKey, ObjectKind, Point, PrefixSum, RankingFunction, Relation, Row, Side,
    Variable,
};
use belay_ir::{BinaryOp, CastOp, IntPredicate};

stored_enum!(ObjectKind {
    Global(id),
    Function(id),
    Stack,
    Heap,
    Arguments,
    String(index),
    EntryBytes(index)
});
stored_struct!(CutPlace { calls, function, head });
stored_struct!(ObjectKey { kind, calls, inst, number });
stored_enum!(BaseKey { Object(key), Bare, Undefined });
stored_enum!(Havoc { Number, Pointer { bases, zeros } });
stored_struct!(Cut { registers, lives, cells, objects, rows, results });
stored_struct!(Cutting { k, property, cuts });
stored_struct!(Row { relation, bound });
stored_enum!(Bound { Parameter(number), Constant(value) });
stored_enum!(Relation {
    AtMost(sum),
    Equal(a, b),
    Differ(a, b),
    Residue { atom, bits, value },
    Float { variable, width, minus },
    Each(elements),
    ForAll(every),
    BlockedCubes { sums, cubes }
});
stored_enum!(Literal { Is(value), IsNot(values) });
stored_struct!(Elements { object, size, segment, minus, against });
stored_enum!(IndexRange { Below, Above, BelowOffset });
stored_enum!(Against { Nothing, Index, Atom(atom), Object(key) });
stored_struct!(Atom { variable, signed });
stored_enum!(Variable {
    Register(inst),
    Param(index),
    Cell { object, offset, size },
    Offset(inst),
    Result,
    Positive(index),
    Last(inst)
});
stored_enum!(Formula {
    Number { width, value },
    Index { dimension, width },
    Element(element),
    PrefixSum(sum),
    Variable(variable),
    Binary(op, a, b),
    Compare(predicate, a, b),
    Cast(op, width, a),
    Select(parts)
});
stored_struct!(Element { array, size, strides, base });
stored_struct!(PrefixSum { first, stride, signed, width, count });
stored_enum!(Array { Register(inst), Param(index), Global(id) });
stored_enum!(Side { Below, UpTo, At, From, Above });
stored_struct!(Limit { dimension, side, end });
stored_struct!(ForAll { within, segments, rest, condition });
stored_enum!(RankingFunction {
    Sum(sum),
    Greatest(minus, atoms),
    Least(minus, atoms),
    Distance(to, from),
    Float(minus, atom)
});
stored_enum!(Point { Atom(atom), Number(value) });
stored_enum!(BinaryOp { Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, And, Or, Xor });
stored_enum!(CastOp {
    Trunc,
    ZExt,
    SExt,
    FloatToSigned,
    FloatToUnsigned,
    SignedToFloat,
    UnsignedToFloat,
    FloatToFloat,
    PtrToInt,
    IntToPtr,
    Bitcast
});
stored_enum!(IntPredicate { Eq, Ne, Ult, Ule, Ugt, Uge, Slt, Sle, Sgt, Sge });
