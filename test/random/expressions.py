# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random expressions, each in two forms: C++ for the kernel, and Python for the reference.

An expression is a pair of strings. The Python one is evaluated for one lane `l`, with every variable a list over lanes.
Values: 'u' unsigned 32, 'i' signed 32, 'q' unsigned 64 bits, as Python integers in range; 'f' float, as the Python
float of the same value; 'b' bool. Nothing here is undefined in C++: shifts are masked, divisors cannot be zero, signed sums
wrap through unsigned ones, floats are converted only where they fit, and no expression sees the bits of a NaN.
"""
import ctypes
import math

U32, U64 = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF


# What the Python forms call: one name, one C++ operation.
def i32(x):
    x &= U32
    return x - (1 << 32) if x >> 31 else x


def i16(x):
    x &= 0xFFFF
    return x - (1 << 16) if x >> 15 else x


def f32(x):
    return ctypes.c_float(x).value


def quotient(a, b):  # of integers, towards zero
    q = abs(a) // abs(b)
    return -q if (a < 0) != (b < 0) else q


def reverse(x):
    return int(f"{x:032b}"[::-1], 2)


def fdiv(a, b):
    if math.isnan(a) or math.isnan(b):
        return math.nan
    if b == 0:
        return math.nan if a == 0 else math.copysign(math.inf, math.copysign(1, a) * math.copysign(1, b))
    return f32(a / b)  # rounding twice is harmless from 53 to 24 bits


def fma(a, b, c):
    product = a * b  # exact: 48 bits
    total = product + c
    if math.isfinite(total):
        back = total - product
        error = (product - (total - back)) + (c - back)
        if error != 0 and not (ctypes.c_uint64.from_buffer(ctypes.c_double(total)).value & 1):
            total = math.nextafter(total, math.copysign(math.inf, error))  # to odd, so that f32() rounds once
    return f32(total)


def root(a):
    return math.nan if math.isnan(a) else math.inf if math.isinf(a) else f32(math.sqrt(abs(a)))


def floor(a):
    return math.copysign(float(math.floor(a)), a) if math.isfinite(a) else a


def to_u(a):
    return int(a) if 0 <= a < 1e9 else 7


def bits(a):  # of a float, all NaNs alike
    return 0x7FC00000 if a != a else ctypes.c_uint32.from_buffer(ctypes.c_float(a)).value


NAMES = dict(i32=i32, i16=i16, f32=f32, quotient=quotient, reverse=reverse, fdiv=fdiv, fma=fma, root=root, floor=floor,
             to_u=to_u, bits=bits, U32=U32, U64=U64)

PRELUDE = """\
__device__ inline unsigned to_u(float x) { return x >= 0.0f && x < 1e9f ? (unsigned)x : 7u; }
__device__ inline unsigned bits(float x) { return x != x ? 0x7fc00000u : __float_as_uint(x); }
"""

# Result type, operand types, C++, Python. {0} {1} {2} are the operands.
OPERATIONS = [
    ("u", "uu", "({0} + {1})", "({0} + {1} & U32)"),
    ("u", "uu", "({0} - {1})", "({0} - {1} & U32)"),
    ("u", "uu", "({0} * {1})", "({0} * {1} & U32)"),
    ("u", "uu", "({0} ^ {1})", "({0} ^ {1})"),
    ("u", "uu", "({0} & {1})", "({0} & {1})"),
    ("u", "uu", "({0} | {1})", "({0} | {1})"),
    ("u", "uu", "({0} << ({1} & 31u))", "({0} << ({1} & 31) & U32)"),
    ("u", "uu", "({0} >> ({1} & 31u))", "({0} >> ({1} & 31))"),
    ("u", "uu", "({0} / ({1} | 1u))", "({0} // ({1} | 1))"),
    ("u", "uu", "({0} % ({1} | 1u))", "({0} % ({1} | 1))"),
    ("u", "uu", "__umulhi({0}, {1})", "({0} * {1} >> 32)"),
    ("u", "uu", "min({0}, {1})", "min({0}, {1})"),
    ("u", "uuu", "(({0} & 2u) ? {1} : {2})", "({1} if {0} & 2 else {2})"),
    ("u", "iiuu", "({0} < {1} ? {2} : {3})", "({2} if {0} < {1} else {3})"),
    ("u", "ffuu", "({0} < {1} ? {2} : {3})", "({2} if {0} < {1} else {3})"),
    ("u", "qquu", "({0} > {1} ? {2} : {3})", "({2} if {0} > {1} else {3})"),
    ("u", "u", "(~{0})", "({0} ^ U32)"),
    ("u", "u", "(unsigned)__popc({0})", "bin({0}).count('1')"),
    ("u", "u", "(unsigned)__clz((int){0})", "(32 - ({0}).bit_length())"),
    ("u", "u", "__brev({0})", "reverse({0})"),
    ("u", "u", "(unsigned)(unsigned char){0}", "({0} & 255)"),
    ("u", "i", "(unsigned){0}", "({0} & U32)"),
    ("u", "q", "(unsigned){0}", "({0} & U32)"),
    ("u", "q", "(unsigned)({0} >> 32)", "({0} >> 32)"),
    ("u", "q", "(unsigned)__popcll({0})", "bin({0}).count('1')"),
    ("u", "f", "to_u({0})", "to_u({0})"),
    ("u", "f", "bits({0})", "bits({0})"),
    ("i", "u", "(int){0}", "i32({0})"),
    ("i", "u", "(int)(short){0}", "i16({0})"),
    ("i", "q", "(int)(short)({0} >> 20)", "i16({0} >> 20)"),
    ("i", "ii", "(int)((unsigned){0} + (unsigned){1})", "i32({0} + {1})"),
    ("i", "ii", "(int)((unsigned){0} - (unsigned){1})", "i32({0} - {1})"),
    ("i", "ii", "(int)((unsigned){0} * (unsigned){1})", "i32({0} * {1})"),
    ("i", "iu", "({0} >> ({1} & 31u))", "({0} >> ({1} & 31))"),
    ("i", "ii", "({0} / (({1} & 0xff) | 1))", "quotient({0}, ({1} & 0xff) | 1)"),
    ("i", "ii", "({0} % (({1} & 0xff) | 1))", "i32({0} - quotient({0}, ({1} & 0xff) | 1) * (({1} & 0xff) | 1))"),
    ("i", "ii", "min({0}, {1})", "min({0}, {1})"),
    ("i", "ii", "max({0}, {1})", "max({0}, {1})"),
    ("i", "ii", "({0} ^ {1})", "({0} ^ {1})"),
    ("q", "u", "(u64){0}", "{0}"),
    ("q", "i", "(u64)(long long){0}", "({0} & U64)"),
    ("q", "uu", "((u64){0} << 32 | {1})", "({0} << 32 | {1})"),
    ("q", "uu", "((u64){0} * {1})", "({0} * {1})"),
    ("q", "qq", "({0} + {1})", "({0} + {1} & U64)"),
    ("q", "qq", "({0} * {1})", "({0} * {1} & U64)"),
    ("q", "qq", "({0} ^ {1})", "({0} ^ {1})"),
    ("q", "qu", "({0} << ({1} & 63u))", "({0} << ({1} & 63) & U64)"),
    ("q", "qu", "({0} >> ({1} & 63u))", "({0} >> ({1} & 63))"),
    ("q", "qq", "({0} / ({1} | 1u))", "({0} // ({1} | 1))"),
    ("f", "u", "(float){0}", "f32({0})"),
    ("f", "i", "(float){0}", "f32({0})"),
    ("f", "ff", "({0} + {1})", "f32({0} + {1})"),
    ("f", "ff", "({0} - {1})", "f32({0} - {1})"),
    ("f", "ff", "({0} * {1})", "f32({0} * {1})"),
    ("f", "ff", "({0} / {1})", "fdiv({0}, {1})"),
    ("f", "fff", "fmaf({0}, {1}, {2})", "fma({0}, {1}, {2})"),
    ("f", "f", "sqrtf(fabsf({0}))", "root({0})"),
    ("f", "f", "floorf({0})", "floor({0})"),
    ("f", "f", "(-{0})", "(-{0})"),
    ("f", "ff", "({0} < {1} ? {0} : {1})", "({0} if {0} < {1} else {1})"),
    ("f", "uff", "(({0} & 1u) ? {1} : {2})", "({1} if {0} & 1 else {2})"),
]
BY_RESULT = {kind: [row for row in OPERATIONS if row[0] == kind] for kind in "uiqf"}
CPP_TYPE = {"u": "unsigned", "i": "int", "q": "u64", "f": "float"}

# Conditions that no compiler can decide: each side is taken by some lanes, sooner or later.
CONDITIONS = [
    ("u", "(({0} & 3u) {op} {n}u)", "(({0} & 3) {op} {n})"),
    ("u", "(__popc({0}) {op} {m})", "(bin({0}).count('1') {op} {m})"),
    ("u", "((({0} * 2654435761u) >> 29) {op} {n}u)", "(({0} * 2654435761 & U32) >> 29 {op} {n})"),
    ("ii", "({0} {op} {1})", "({0} {op} {1})"),
    ("ff", "({0} {op} {1})", "({0} {op} {1})"),
    ("qq", "({0} {op} {1})", "({0} {op} {1})"),
]


class Expressions:
    """Draws expressions over `scope`: the names of readable variables by type."""

    def __init__(self, random):
        self.random = random

    def constant(self, kind):
        if kind == "f":
            value = self.random.choice([0.0, 1.0, -1.5, 0.25, 3.0, 1e-3, 1e10, f32(self.random.uniform(-100, 100))])
            text = repr(f32(value))
            return (f"({text}f)", f"({text})")
        big = {"u": 32, "i": 31, "q": 64}[kind]
        value = self.random.choice([self.random.randrange(16), self.random.getrandbits(big)])
        if kind == "i" and self.random.random() < 0.5:
            value = -value
        suffix = {"u": "u", "i": "", "q": "ull"}[kind]
        return (f"({value}{suffix})", f"({value})")

    def draw(self, kind, scope, depth):
        if depth <= 0 or self.random.random() < 0.2:
            if self.random.random() < 0.2:
                return self.constant(kind)
            return self.random.choice(scope[kind])
        _, operands, cpp, py = self.random.choice(BY_RESULT[kind])
        drawn = [self.draw(operand, scope, depth - 1) for operand in operands]
        return cpp.format(*[d[0] for d in drawn]), py.format(*[d[1] for d in drawn])

    def condition(self, scope, depth=2):
        if self.random.random() < 0.4:
            cpp, py = self.random.choice(scope["b"])
            return self.random.choice([(cpp, py), (f"(!{cpp})", f"(not {py})")])
        operands, cpp, py = self.random.choice(CONDITIONS)
        while True:
            drawn = [self.draw(operand, scope, depth) for operand in operands]
            if any("[l]" in py for _, py in drawn):
                break
        fill = dict(op=self.random.choice(["<", ">", "<=", "==", "!="]), n=self.random.randrange(1, 3),
                    m=self.random.randrange(12, 20))
        return cpp.format(*[d[0] for d in drawn], **fill), py.format(*[d[1] for d in drawn], **fill)
