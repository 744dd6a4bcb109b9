//! What pointers lead to, in clauses: blocks, texts, terminated arrays, lists, functions.
//!
//! - `is_fresh(p, n)`: `p` points to the start of a block of `n` bytes that nothing else names.
//! - `is_cstring(p)`: to the start of a block of characters that ends in a 0; `is_terminated(p)`: of elements of any type, whose last is 0.
//! - `has_room(p, n)`: to the start of a block that holds such a text and has `n` more bytes behind its 0.
//! - `has_header(p, h, n)`: to `h` bytes behind the start of a block that has `n` more bytes there; `n` may speak of what stands before `p`. `number(p, k)` is the number of
//!   `k` bytes that stands at `p`, wherever that is.
//! - `is_list(p, m)`: `p` is null, or points to a block of the size of its type whose member `m` is such a list in turn; all blocks differ, so the list ends.
//!   `is_list(p, m, c)`: `c` holds of each element too, which is called `__BELAY_node` there.
//! - `forall { T k; range ==> is_fresh(a[k], n) && … }`: each element of an array leads to a block of its own.
//! - `is_function(f)`: to a function of the type of `*f` that returns, changes nothing that the function under contract can see, and may return any number, another one each time.
//!   *Assumed*, it is a function whose body is just that ([`CALLBACK`]); *asserted*, it is refused: what a function does is not looked at there.
//!
//! *Assumed*, they make such blocks, with any content, of any length. Each is a block of its own, that may be written: so that is what is *asserted* where the same
//! clause has to be shown, apart from everything that was named before. What a caller gives for `is_fresh` need not be a whole block: so many bytes of one, none of which another
//! `is_fresh` names (as in CBMC since 6.5). That is enough for a function that was checked with whole blocks: it has read and written nothing beyond the bytes of each, so it does
//! the same where other bytes lie around them; only what asks for the size of a whole object, or compares addresses in different blocks, could tell, and a contract that is taken on its word
//! says nothing of either. Bytes of a variable of static storage are no such block: the function may read or write that variable by its name, so that a caller who gives one
//! has no answer. What the function gives back has to be in no block that it was given at all. Lists are made where somebody states what callers give, and nowhere else: what a contract says
//! that the function writes and frees is asked of the blocks that clauses name, which the later objects of a list and those of an array's elements are not. For the same reason
//! neither is asserted: an arbitrary element would be told apart from every block that has a name, and not from the blocks of the other elements. In what a replaced function ensures only `is_fresh` may make a block:
//! the other words do not say that the block is new, and a caller that has a pointer into it already would be left out.
//!
//! A block that is made lies where a pointer member of an earlier block is, or a parameter. What an earlier clause says of the same place is lost then: a proof covers
//! more states than are required, never fewer.

mod headers;

use crate::lower::{KEPT, Lowered, Lowering, Mode, joined};
use crate::text::mentions;
use crate::tokens::{Kind, bare, split, tokens};

/// Words for shapes that only entries make.
pub(crate) const SHAPES: [&str; 6] =
    ["__CPROVER_is_cstring", "__BELAY_is_terminated", "__BELAY_is_list", "__BELAY_has_room", HEADER, FUNCTION];

const FUNCTION: &str = "__BELAY_is_function";

const HEADER: &str = "__BELAY_has_header";

/// The number that stands where a pointer leads.
pub(crate) const NUMBER: &str = "__BELAY_number";

/// What the names of functions begin with that clauses ask for. No program declares any by such a name; the front end gives them their bodies.
pub const CALLBACK: &str = "belay.callback.";

/// What an element of a list is called in the condition about it.
pub(crate) const NODE: &str = "__BELAY_node";

/// What the variables are called that hold what a part of a condition has named.
const NAMED: &str = "__belay_named";

/// Memory that a clause has named, in C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// Where it begins.
    pub pointer: String,
    /// How many bytes; none if it is the whole block.
    pub size: Option<String>,
}

/// True if a condition makes blocks where it is assumed.
pub fn makes_blocks(text: &str) -> bool {
    text.contains("__CPROVER_is_fresh") || SHAPES.iter().any(|shape| text.contains(shape))
}

/// A block for what a pointer leads to. A caller may hand over any that is aligned as its type has to be.
fn made_for(place: &str, size: &str) -> String {
    format!("__belay_block(__alignof__(*({place})), {size})")
}

impl Lowering {
    pub(crate) fn fresh_pointer(&mut self, arguments: &str) -> Lowered {
        let parts = split(arguments, ",");
        let [pointer, size] = parts.as_slice() else { return Err("is_fresh takes a pointer and a size".to_owned()) };
        let (place, size) = (self.expression(pointer)?, self.expression(size)?);
        self.refuse_elements()?;
        self.refuse_equated(pointer)?;
        let text = match self.mode {
            Mode::Assume => {
                let keep = self.keep(&place)?;
                let made = assign(&place, &made_for(&place, &size));
                format!("{made}__belay_assume({place} != 0); {keep}")
            }
            Mode::Assert => {
                let found = self.is_fresh(&place, &size);
                let said = self.remember(found, place, Some(size));
                return Ok(self.demand(&said, &format!("is_fresh({arguments})")));
            }
        };
        self.describe(pointer, place, Some(size));
        Ok(text)
    }

    /// Blocks of elements are made for those who state what callers give, and by what a replaced function ensures: there each is new.
    pub(crate) fn refuse_elements(&self) -> Result<(), String> {
        match self.mode {
            _ if self.quantified.is_empty() => Ok(()),
            Mode::Assume if self.lists || !self.keeps => Ok(()),
            Mode::Assume => Err("what is written to the blocks of elements is not followed".to_owned()),
            Mode::Assert => Err("the blocks of elements are not told apart from each other".to_owned()),
        }
    }

    /// A pointer has its block. Those of elements have no name. Of a disjunction each side may have another pointer for the block of a number.
    fn describe(&mut self, pointer: &str, place: String, size: Option<String>) {
        if !self.quantified.is_empty() {
            return;
        }
        self.undescribed.retain(|name| name != bare(pointer));
        let number = self.fresh.len();
        self.places.resize_with(self.places.len().max(number + 1), Vec::new);
        if let Some(names) = self.places.get_mut(number) {
            names.push(bare(pointer).to_owned());
        }
        self.fresh.push(self.name(place, size));
    }

    /// What a part of an asserted condition says of a pointer, and that the block which it has found is named from now on: what comes later has to be apart from it, as the blocks that
    /// are made where the same is assumed are. Only where the part holds: `p == 0 || is_fresh(p, n)` names nothing for a null, nor a side that is not asked. Where nobody declares a
    /// variable for it, it is named in any case: more is asked then, never less.
    pub(crate) fn remember(&mut self, found: String, place: String, size: Option<String>) -> String {
        let Some(index) = self.named else {
            self.fresh.push(Named { pointer: place, size });
            return found;
        };
        self.named = Some(index + 1);
        let pointer = format!("{NAMED}{index}");
        let said = format!("({found} && ({pointer} = (const void *)({place}), 1))");
        self.fresh.push(Named { pointer, size });
        said
    }

    /// `is_fresh` as a condition: what may be written, and is in no block that was named before. Who gets a block from a function gets its start: it may be freed.
    pub(crate) fn is_fresh(&self, place: &str, size: &str) -> String {
        let made = match self.is_made {
            true => format!(" && __belay_is_heap({place}) && __belay_offset({place}) == 0"),
            false => String::new(),
        };
        let accessible = self.accessible(place);
        format!(
            "({accessible}({place}, {size}){}{made}{})",
            self.apart(place, Some(size)),
            self.outside_statics(place, size)
        )
    }

    /// What is asked of a block: that it may be written, or only that it may be read.
    fn accessible(&self, place: &str) -> &'static str {
        if self.reads.iter().any(|name| name == bare(place)) { "__belay_r_ok" } else { "__belay_w_ok" }
    }

    /// No answer where a caller gives bytes of a variable of static storage: the function was checked with blocks that are none of its variables, and may read or write that one by
    /// its name. Which ones it names is not known where its body is taken away.
    fn outside_statics(&self, place: &str, size: &str) -> String {
        if !self.asks_caller {
            return String::new();
        }
        let what = "a variable of static storage is given where a contract asks for a block of its own";
        format!(" && (!({size}) || !__belay_is_static({place}) || (__belay_unsupported({what:?}), 1))")
    }

    /// Without a byte that was named before (none at all has none in common); without a size, in no block of which one was. (That both may be written is asserted as well, so that no sum of an offset and a size
    /// goes round.)
    fn apart(&self, place: &str, size: Option<&str>) -> String {
        let each = |other: &Named| {
            let pointer = &other.pointer;
            // Where nothing was named, what its size is made of need not be there.
            let is_named = if pointer.starts_with(NAMED) { format!("{pointer} && ") } else { String::new() };
            match (size, &other.size) {
                (Some(size), Some(extent)) => {
                    let (at, from) = (format!("__belay_offset({place})"), format!("__belay_offset({pointer})"));
                    format!(
                        " && !({is_named}({size}) && ({extent}) && __belay_same({place}, {pointer}) && {at} < {from} + ({extent}) && {from} < {at} + ({size}))"
                    )
                }
                _ => format!(" && !({is_named}__belay_same({place}, {pointer}))"),
            }
        };
        self.fresh.iter().map(each).collect()
    }

    /// What a block that was just made or found is called from now on.
    fn name(&self, pointer: String, size: Option<String>) -> Named {
        let is_kept = self.mode == Mode::Assume && self.keeps;
        if is_kept {
            Named { pointer: format!("__belay_kept[{}]", self.fresh.len()), size: None }
        } else {
            Named { pointer, size }
        }
    }

    /// Keeps a block reachable, if that is wanted. Those of elements are, as long as the array or list is.
    fn keep(&self, place: &str) -> Lowered {
        match (self.keeps && self.quantified.is_empty(), self.fresh.len()) {
            (false, _) => Ok(String::new()),
            (true, kept) if kept < KEPT => Ok(format!("__belay_kept[{kept}] = (void *){place}; ")),
            (true, _) => Err("too many blocks".to_owned()),
        }
    }

    /// Makes what one of the [`SHAPES`] says.
    pub(crate) fn make_shape(&mut self, name: &str, arguments: &str) -> Lowered {
        if !self.keeps {
            return Err("it does not say that the block is new (is_fresh says it)".to_owned());
        }
        let parts = split(arguments, ",");
        let (pointer, rest) = parts.split_first().ok_or("it takes a pointer")?;
        let place = self.expression(pointer)?;
        self.refuse_equated(pointer)?;
        if name == FUNCTION && !self.quantified.is_empty() {
            return Err("the functions of elements are not told apart from each other".to_owned());
        }
        if name == FUNCTION {
            self.undescribed.retain(|name| name != bare(pointer));
            return if rest.is_empty() { Ok(make_function(&place)) } else { Err("it takes one pointer".to_owned()) };
        }
        self.refuse_elements()?;
        if name == HEADER {
            let [header, behind] = rest else { return Err("has_header takes a pointer and two numbers".to_owned()) };
            return self.make_headed((pointer, &place), header, behind);
        }
        let element = (format!("sizeof(*({place}))"), format!("__typeof__(*({place}))"));
        let text = match (name, rest) {
            ("__BELAY_is_list", [member, condition @ ..]) if is_name(member) && condition.len() < 2 => {
                self.make_list(&place, member, condition.first().copied())?
            }
            ("__BELAY_is_list", _) => return Err("is_list takes a pointer and a member".to_owned()),
            ("__BELAY_has_room", [room]) => {
                let room = self.expression(room)?;
                self.make_terminated(&place, ("1", "char"), &room)?
            }
            ("__BELAY_has_room", _) => return Err("has_room takes a pointer and a number".to_owned()),
            ("__CPROVER_is_cstring", []) => self.make_terminated(&place, ("1", "char"), "")?,
            (_, []) => self.make_terminated(&place, (&element.0, &element.1), "")?,
            (_, _) => return Err("it takes one pointer".to_owned()),
        };
        self.describe(pointer, place, None);
        Ok(text)
    }

    /// A list of any length, the last element first.
    fn make_list(&mut self, place: &str, member: &str, condition: Option<&str>) -> Lowered {
        if !self.lists {
            return Err("what is written to lists is not followed".to_owned());
        }
        let keep = self.keep("__belay_head")?;
        self.quantified.push(NODE.to_owned());
        let told = condition.map(|condition| self.condition(condition)).transpose();
        self.quantified.pop();
        let told = told?.unwrap_or_default();
        let link = assign(&format!("__belay_node->{member}"), "__belay_head");
        let made = assign(place, "__belay_head");
        Ok(format!(
            "{{ __SIZE_TYPE__ __belay_length; void *__belay_head = 0; for (; __belay_length; __belay_length--) {{ __typeof__({place}) __belay_node = __belay_block(__alignof__(*__belay_node), sizeof(*__belay_node)); __belay_assume(__belay_node != 0); {told}{link}__belay_head = __belay_node; }} {made}{keep}}} "
        ))
    }

    /// A block of any number of elements, one more that is 0, and `room` more bytes. Sizes do not wrap: where they would, there is no such block.
    fn make_terminated(&self, place: &str, (size, element): (&str, &str), room: &str) -> Lowered {
        let (made, keep) = (assign(place, "__belay_text"), self.keep("__belay_text")?);
        let zero = match element {
            "char" => "((char *)__belay_text)[__belay_length] = 0; ".to_owned(),
            element => zero_element(element, size),
        };
        let (block, most) = match element {
            "char" => ("__belay_length + 1".to_owned(), "(~(__SIZE_TYPE__)0 >> 2)".to_owned()),
            _ => (format!("(__belay_length + 1) * {size}"), format!("(~(__SIZE_TYPE__)0 >> 2) / {size}")),
        };
        let (asked, more) = match room {
            "" => (String::new(), String::new()),
            room => (
                format!("__SIZE_TYPE__ __belay_room = {room}; __belay_assume(__belay_room < {most}); "),
                " + __belay_room".to_owned(),
            ),
        };
        Ok(format!(
            "{{ __SIZE_TYPE__ __belay_length; __belay_assume(__belay_length < {most}); {asked}void *__belay_text = __belay_block(__alignof__(*({place})), {block}{more}); __belay_assume(__belay_text != 0); {zero}{made}{keep}}} "
        ))
    }

    /// What one of the [`SHAPES`] says, as a condition.
    pub(crate) fn shape(&mut self, name: &str, arguments: &[&str]) -> Lowered {
        self.refuse_elements()?;
        if name == HEADER {
            let [pointer, header, behind] = arguments else {
                return Err("has_header takes a pointer and two numbers".to_owned());
            };
            return self.headed(pointer, header, behind);
        }
        let (pointer, room) = match (name, arguments) {
            ("__BELAY_is_list", _) => return Err("a list is not followed there".to_owned()),
            (FUNCTION, _) => return Err("what a function does is not looked at there".to_owned()),
            ("__BELAY_has_room", [pointer, room]) => (*pointer, format!("(__SIZE_TYPE__)({})", self.expression(room)?)),
            ("__BELAY_has_room", _) => return Err("has_room takes a pointer and a number".to_owned()),
            (_, [pointer]) => (*pointer, String::new()),
            (_, _) => return Err("it takes one pointer".to_owned()),
        };
        let place = self.expression(pointer)?;
        let (asked, room) = match room.as_str() {
            "" => (String::new(), String::new()),
            room => (format!("{room} < (~(__SIZE_TYPE__)0 >> 2) && "), format!(" + {room}")),
        };
        let accessible = self.accessible(&place);
        let found = format!(
            "({{ __typeof__({place}) __belay_at = {place}; __SIZE_TYPE__ __belay_index = 0; while ({accessible}(__belay_at + __belay_index, sizeof(*__belay_at)) && __belay_at[__belay_index]) __belay_index++; {asked}{accessible}(__belay_at + __belay_index, sizeof(*__belay_at){room}){}{}; }})",
            self.apart(&place, None),
            self.outside_statics(&place, "1")
        );
        Ok(self.remember(found, place, None))
    }

    /// True for `variable.member == value` in an entry, of a variable of static storage of which no clause has said anything but what other members are: it has any value, so that
    /// setting it leaves the same states, and a pointer gets to know what it points to. The value must not name the variable. (If the members are those of a union, what was set
    /// before is lost: more states, never fewer.)
    pub(crate) fn is_open(&self, place: &str, value: &str) -> bool {
        let (place, value) = (joined(place), joined(value));
        let all = tokens(&place);
        let is_path = all.len() % 2 == 1 && all.iter().skip(1).step_by(2).all(|mark| mark.is("."));
        let root = all.first().map(|first| first.text).unwrap_or_default();
        let names = |clause: &String| tokens(clause).iter().any(|token| token.is(root));
        let is_of_another = |clause: &String| match split(clause, "==").as_slice() {
            [left, right] => {
                let left = joined(left);
                let is_member =
                    left.starts_with(&format!("{root}.")) && !names(&joined(right)) && tokens(&left).len() == all.len();
                is_member && left != place && tokens(&left).iter().skip(1).step_by(2).all(|mark| mark.is("."))
            }
            _ => false,
        };
        self.mode == Mode::Assume
            && self.keeps
            && is_path
            && self.variables.iter().any(|name| name == root)
            && !self.said.iter().any(|clause| names(clause) && !is_of_another(clause))
            && !names(&value)
    }

    /// What another place was set to stays what it is.
    fn refuse_equated(&self, pointer: &str) -> Result<(), String> {
        let pointer = joined(pointer);
        let is_changed = self.equated.iter().any(|value| value.contains(&pointer));
        if is_changed { Err("a place was said to be what a block is made for later".to_owned()) } else { Ok(()) }
    }

    /// `p == 0` or `p == q` beside a side that makes a block for `p`, in an entry: the place that is null then, or what `q` is. It lies in a block that has any content, or is a parameter of
    /// which nothing was said: whatever it holds where the condition holds is what it is set to, so that no state is left out. That takes `q` to be what it stays: a place of
    /// which a block was made already, or that was told to be null beside one; a second block for it is refused then.
    pub(crate) fn null_side(&mut self, side: &str, sides: &[&str]) -> Option<String> {
        let null = ["0", "NULL", "(void*)0"];
        let side = joined(side);
        let (pointer, value) = side.split_once("==")?;
        let is_made = |other: &&str| {
            let other = joined(other);
            makes_blocks(&other)
                && ["(", "(("].iter().any(|open| {
                    other.contains(&format!("{open}{pointer},")) || other.contains(&format!("{open}{pointer})"))
                })
        };
        let is_told = self.said.iter().any(|clause| clause.contains(pointer));
        let is_open = self.undescribed.iter().any(|name| mentions(value, name));
        let is_known = !is_open && self.places.iter().flatten().any(|place| joined(place) == value && value != pointer);
        let is_set = self.mode == Mode::Assume && self.keeps && (null.contains(&value) || is_known) && !is_told;
        let is_inside = pointer.contains("->") || pointer.contains('[') || pointer.contains('*');
        if !is_set || !is_inside || !self.quantified.is_empty() && is_known || !sides.iter().any(is_made) {
            return None;
        }
        if !is_known {
            return self.expression(pointer).ok().map(|place| assign(&place, "0"));
        }
        self.equated.push(value.to_owned());
        let value = self.expression(value).ok()?;
        self.expression(pointer).ok().map(|place| assign(&place, &format!("(void *)({value})")))
    }
}

impl Lowering {
    /// A side of a disjunction: the same with more behind it (`p->items == 0 && p->room == 0`), which is asked of what was set; or any condition.
    pub(crate) fn null_and_more(&mut self, side: &str, sides: &[&str]) -> Lowered {
        let parts = split(bare(side), "&&");
        if let [first, more @ ..] = parts.as_slice()
            && !more.is_empty()
            && let Some(set) = self.null_side(first, sides)
        {
            return Ok(format!("{set}{}", self.condition(&more.join(" && "))?));
        }
        self.condition(side)
    }
}

/// The last element of a block that is terminated, all bytes 0. A number or a pointer is written as one value of as many bytes: those are the same bytes, and what is known of the
/// place then is known of the element, not of each byte.
fn zero_element(element: &str, size: &str) -> String {
    let place = format!("((char *)__belay_text + __belay_length * {size})");
    let class = format!("__builtin_classify_type(*({element} *)0)");
    let is_number = format!("({class} == 1 || {class} == 3 || {class} == 4)");
    let store = |(ty, condition): (&str, String)| {
        format!("if ({condition} && {size} == sizeof({ty})) *({ty} *){place} = 0; else ")
    };
    let numbers = ["unsigned short", "unsigned int", "unsigned long long"].map(|ty| (ty, is_number.clone()));
    let all: String = numbers.into_iter().chain([("void *", format!("{class} == 5"))]).map(store).collect();
    // Two zeros end an array of floats.
    let float =
        |ty: &str| format!("if ({class} == 8 && {size} == sizeof({ty})) __belay_assume(*({ty} *){place} == 0); else ");
    let floats = ["float", "double", "long double"].map(float).concat();
    format!("{floats}{all}__builtin_memset({place}, 0, {size}); ")
}

/// A function of the type that a pointer says, one for each place.
fn make_function(place: &str) -> String {
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let name: String = place.chars().map(letter).collect();
    let declared = format!("extern __typeof__(*({place})) __belay_callback_{name} __asm__(\"{CALLBACK}{name}\"); ");
    format!("{{ {declared}{}}} ", assign(place, &format!("(void *)__belay_callback_{name}")))
}

fn is_name(text: &str) -> bool {
    matches!(tokens(text).as_slice(), [one] if one.kind == Kind::Word)
}

/// Lets a place hold a pointer; of what is declared `const` as well, since it is the entry that makes it.
fn assign(place: &str, value: &str) -> String {
    if is_name(place) { format!("{place} = {value}; ") } else { format!("*(void **)&({place}) = {value}; ") }
}
