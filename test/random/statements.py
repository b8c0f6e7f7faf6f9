# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels: C++ text, and closures that do the same to a whole work-group in lockstep.

A closure takes the lanes that run it (sorted) and gives those that go on behind it; lanes that break, continue or
return wait in their loop's or function's list and join the others at its end. Waves of a group run together here, which
no wave can notice: they exchange values only across barriers, and shared sums are of operations whose order is free.

What a wave's lanes see of each other after they part depends on where they meet again. That is the end of the
structured statement, with one exception: lanes that are about to leave a loop or function for good may do so one at a
time or all together. So no cross-lane operation is put where only leaving follows.
"""
from expressions import CPP_TYPE, NAMES, U32, Expressions

COUNTS = {"u": 4, "i": 2, "q": 2, "f": 2}
FLAGS = 2  # truths that are asked again and again, so that what follows one question answers the next
INPUTS = 256
SUMS = 8


class Exits:  # of one loop, switch or function: the lanes that left it early
    def __init__(self):
        self.broken, self.continued = [], []


class Kernel:
    def __init__(self, random, name):
        self.random, self.name = random, name
        self.expressions = Expressions(random)
        self.env = dict(NAMES)
        self.functions, self.lines, self.fresh = [], [], 0
        self.block = random.choice([1, 31, 32, 64, 64, 70, 96, 128, 150])
        self.uniform = random.getrandbits(16)
        self.budget = random.choice([15, 30, 60])
        self.build()

    # The reference: runs one block of `self.block` lanes; gives the words of every lane.
    def run(self, block, wave, inputs, sums):
        n = self.block
        self.wave = wave
        env = self.env
        env.update(t=list(range(n)), g=[block * n + t for t in range(n)], block=block, p=self.uniform, inputs=inputs)
        self.lds, self.lds_sums, self.sums = [0] * n, [0] * SUMS, sums
        self.own = [0x1000 + g for g in env["g"]]
        self.body(list(range(n)))
        return [[env[f"o{k}"][t] for k in range(self.words)] for t in range(n)]

    def compiled(self, py):
        return eval("lambda l: " + py, self.env)  # our own text

    def name_new(self, prefix):
        self.fresh += 1
        return f"{prefix}{self.fresh}"

    def emit(self, indent, text):
        self.lines.append("  " * indent + text)

    def scope_of(self, prefix):
        scope = {kind: [(f"{prefix}{kind}{k}", f"{prefix}{kind}{k}[l]") for k in range(count)]
                 for kind, count in COUNTS.items()}
        scope["u"] += [("t", "t[l]"), ("g", "g[l]")]
        scope["b"] = [(f"{prefix}b{k}", f"{prefix}b{k}[l]") for k in range(FLAGS)]
        return scope

    # Variables of a function, with their first values.
    def declare(self, prefix, indent, scope, fill):
        starts = []
        for kind, count in COUNTS.items():
            for k in range(count):
                cpp, py = fill(kind, k)
                name = f"{prefix}{kind}{k}"
                self.emit(indent, f"{CPP_TYPE[kind]} {name} = {cpp};")
                starts.append((name, self.compiled(py)))
        for k in range(FLAGS):
            self.emit(indent, f"bool {prefix}b{k} = {prefix}u{k} & 1u;")
            starts.append((f"{prefix}b{k}", self.compiled(f"{prefix}u{k}[l] & 1 == 1")))
        array = f"{prefix}a"
        self.emit(indent, f"unsigned {array}[4] = {{t, 1u, 2u, 3u}};")
        scope["u"].append((f"{array}[{prefix}u0 & 3u]", f"{array}[l][{prefix}u0[l] & 3]"))

        def run(lanes):
            for name, value in starts:
                place = self.env.setdefault(name, [0] * self.block)
                for l in lanes:
                    place[l] = value(l)
            arrays = self.env.setdefault(array, [None] * self.block)
            for l in lanes:
                arrays[l] = [l, 1, 2, 3]
            return lanes

        return run

    # --- statements: each emits its text and returns its closure -----------------------------------------------------

    def sequence(self, make, count):
        parts = [part for part in (make() for _ in range(count)) if part]

        def run(lanes):
            for part in parts:
                if not lanes:
                    break
                lanes = part(lanes)
            return lanes

        return run

    def assignment(self, c, depth=3):
        if self.random.random() < 0.15:
            cpp, py = self.expressions.condition(c.scope)
            name = f"{c.prefix}b{self.random.randrange(FLAGS)}"
            self.emit(c.indent, f"{name} = {cpp};")
            return self.setter(name, py)
        kind = self.random.choice("uuuiqf")
        cpp, py = self.expressions.draw(kind, c.scope, depth)
        name = f"{c.prefix}{kind}{self.random.randrange(COUNTS[kind])}"
        if kind == "u" and self.random.random() < 0.15:
            index = self.expressions.draw("u", c.scope, 1)
            name = f"{c.prefix}a"
            self.emit(c.indent, f"{name}[{index[0]} & 3u] = {cpp};")
            at, value = self.compiled(index[1]), self.compiled(py)

            def store(lanes):
                for l in lanes:
                    k = at(l) & 3
                    self.env[name][l][k] = value(l)
                return lanes

            return store
        self.emit(c.indent, f"{name} = {cpp};")
        return self.setter(name, py)

    def setter(self, name, py):
        value = self.compiled(py)

        def run(lanes):
            place = self.env[name]
            for l in lanes:
                place[l] = value(l)
            return lanes

        return run

    def read_input(self, c):
        cpp, py = self.expressions.draw("u", c.scope, 2)
        name = f"{c.prefix}u{self.random.randrange(4)}"
        self.emit(c.indent, f"{name} ^= in[{cpp} & {INPUTS - 1}u];")
        return self.setter(name, f"{name}[l] ^ inputs[{py} & {INPUTS - 1}]")

    def waves(self, lanes):
        groups = {}
        for l in lanes:
            groups.setdefault(l // self.wave, []).append(l)
        return groups.values()

    def vote(self, c):
        cpp, py = self.expressions.condition(c.scope)
        test = self.compiled(py)
        kind, name = self.random.choice([("__ballot", "q"), ("__any", "u"), ("__all", "u")])
        name = f"{c.prefix}{name}{self.random.randrange(COUNTS[name])}"
        self.emit(c.indent, f"{name} {'^=' if kind == '__ballot' else '+='} {kind}({cpp});")

        def run(lanes):
            for group in self.waves(lanes):
                mask = sum(1 << l % self.wave for l in group if test(l))
                for l in group:
                    if kind == "__ballot":
                        self.env[name][l] ^= mask
                    else:
                        truth = mask != 0 if kind == "__any" else mask.bit_count() == len(group)
                        self.env[name][l] = self.env[name][l] + truth & U32
            return lanes

        return run

    # A lane that is not there has no value to give: the caller's own then.
    def shuffle(self, c):
        kind = self.random.choice("uiqf")
        value, index = self.expressions.draw(kind, c.scope, 1), self.expressions.draw("u", c.scope, 1)
        name = f"{c.prefix}{kind}{self.random.randrange(COUNTS[kind])}"
        form = self.random.choice(["__shfl", "__shfl_xor", "__shfl_up", "__shfl_down", "first"])
        here, v, k = self.name_new("here"), self.name_new("v"), self.name_new("k")
        compiled_value, compiled_index = self.compiled(value[1]), self.compiled(index[1])
        self.emit(c.indent, f"{CPP_TYPE[kind]} {v} = {value[0]};")
        if form == "first":
            self.emit(c.indent, f"{name} = __shfl({v}, (int)__ffsll((unsigned long long)__ballot(1)) - 1);")
        elif form == "__shfl":
            self.emit(c.indent, f"unsigned {k} = {index[0]} % (unsigned)warpSize;")
            self.emit(c.indent, f"u64 {here} = __ballot(1);")
            self.emit(c.indent, f"{name} = __shfl({v}, (int){k});")
            self.emit(c.indent, f"if (!({here} >> {k} & 1)) {name} = {v};")
        else:
            distance = self.random.randrange(1, 32)
            sign = {"__shfl_xor": "^", "__shfl_up": "-", "__shfl_down": "+"}[form]
            self.emit(c.indent, f"unsigned {k} = (__lane_id() {sign} {distance}u) % (unsigned)warpSize;")
            self.emit(c.indent, f"u64 {here} = __ballot(1);")
            self.emit(c.indent, f"{name} = {form}({v}, {distance});")
            self.emit(c.indent, f"if (!({here} >> {k} & 1)) {name} = {v};")

        def run(lanes):
            for group in self.waves(lanes):
                base = group[0] // self.wave * self.wave
                values = {l: compiled_value(l) for l in group}
                results = {}
                for l in group:
                    if form == "first":
                        source = group[0]
                    elif form == "__shfl":
                        source = base + compiled_index(l) % self.wave
                    else:
                        lane = l - base
                        lane = lane ^ distance if sign == "^" else lane - distance if sign == "-" else lane + distance
                        source = base + lane if 0 <= lane < self.wave else l
                    results[l] = values.get(source, values[l])
                for l in group:
                    self.env[name][l] = results[l]
            return lanes

        return run

    def atomic(self, c):
        operand, slot = self.expressions.draw("u", c.scope, 2), self.expressions.draw("u", c.scope, 1)
        value, at = self.compiled(operand[1]), self.compiled(slot[1])
        form = self.random.choice(["atomicAdd", "atomicMax", "atomicXor", "own", "swap"] + ["lds"] * (c.lds_sums * 3))
        if form in ("own", "swap"):
            name = f"{c.prefix}u{self.random.randrange(4)}"
            call = "atomicAdd" if form == "own" else "atomicExch"
            self.emit(c.indent, f"{name} = {call}(&own[g], {operand[0]});")

            def run_own(lanes):
                for l in lanes:
                    old, new = self.own[l], value(l)
                    self.own[l] = old + new & U32 if form == "own" else new
                    self.env[name][l] = old
                return lanes

            return run_own
        group = {"atomicAdd": 0, "atomicMax": 1, "atomicXor": 2, "lds": 0}[form]
        call, target = ("atomicAdd", "lds_sums") if form == "lds" else (form, f"sums + {group * SUMS}")
        self.emit(c.indent, f"{call}({target} + ({slot[0]} & {SUMS - 1}u), {operand[0]});")

        def run(lanes):
            place = self.lds_sums if form == "lds" else self.sums
            for l in lanes:
                k = (at(l) & SUMS - 1) + group * SUMS
                new = value(l)
                place[k] = max(place[k], new) if group == 1 else place[k] ^ new if group == 2 else place[k] + new & U32
            return lanes

        return run

    def branch(self, c):
        cpp, py = self.expressions.condition(c.scope)
        test = self.compiled(py)
        self.emit(c.indent, f"if ({cpp}) {{")
        then = self.statements(c.inner())
        otherwise = None
        if self.random.random() < 0.5:
            self.emit(c.indent, "} else {")
            otherwise = self.statements(c.inner())
        self.emit(c.indent, "}")

        def run(lanes):
            yes = [l for l in lanes if test(l)]
            no = sorted(set(lanes) - set(yes))
            yes = then(yes) if yes else yes
            no = otherwise(no) if otherwise and no else no
            return sorted(yes + no)

        return run

    # Leaves a loop, goes round, or returns. Before that only what concerns the lane itself.
    def leave(self, c):
        choices = (["break"] * 2 if c.breaks else []) + (["continue"] * 2 if c.loop else []) + (
            ["return"] if c.function else [])
        if not choices:
            return self.assignment(c)
        form = self.random.choice(choices)
        cpp, py = self.expressions.condition(c.scope)
        test = self.compiled(py)
        self.emit(c.indent, f"if ({cpp}) {{")
        inner = c.inner()
        before = self.sequence(lambda: self.assignment(inner), self.random.randrange(3))
        exits = {"break": c.breaks, "continue": c.loop, "return": c.function}[form]
        result = None
        if form == "return":
            value = self.expressions.draw("u", c.scope, 1)
            result = self.setter(f"{c.prefix}result", value[1])
            self.emit(inner.indent, f"return {value[0]};")
        else:
            self.emit(inner.indent, form + ";")
        self.emit(c.indent, "}")

        def run(lanes):
            gone = [l for l in lanes if test(l)]
            if not gone:
                return lanes
            before(gone)
            if result:
                result(gone)
            (exits.continued if form == "continue" else exits.broken).extend(gone)
            return sorted(set(lanes) - set(gone))

        return run

    def loop(self, c):
        counter = self.name_new("n")
        cpp, py = self.expressions.draw("u", c.scope, 2)
        limit = self.random.choice([3, 4, 6])
        test, exits = self.compiled(f"{counter}[l] < {py} % {limit}"), Exits()
        inner = c.inner(loop=exits, breaks=exits)
        inner.scope = {kind: list(names) for kind, names in c.scope.items()}
        inner.scope["u"].append((counter, f"{counter}[l]"))
        form = self.random.choice(["for", "while", "do"])
        bounded = self.random.random() < 0.5  # by a value that the body does not change
        if bounded:
            bound = self.name_new("n")
            self.emit(c.indent, f"unsigned {bound} = {cpp} % {limit}u;")
            fix = self.compiled(f"{py} % {limit}")
            test = self.compiled(f"{counter}[l] < {bound}[l]")
            condition = f"{counter} < {bound}"
        else:
            condition = f"{counter} < {cpp} % {limit}u"
        if form == "for":
            self.emit(c.indent, f"for (unsigned {counter} = 0; {condition}; ++{counter}) {{")
        else:
            self.emit(c.indent, f"unsigned {counter} = 0;")
            self.emit(c.indent, f"while ({condition}) {{" if form == "while" else "do {")
            self.emit(inner.indent, f"++{counter};")
        body = self.statements(inner, more=1)
        self.emit(c.indent, f"}} while ({condition});" if form == "do" else "}")

        def run(lanes):
            place = self.env.setdefault(counter, [0] * self.block)
            for l in lanes:
                place[l] = 0
            if bounded:
                fixed = self.env.setdefault(bound, [0] * self.block)
                for l in lanes:
                    fixed[l] = fix(l)
            exits.broken, left, first = [], [], True
            while lanes:
                if form != "do" or not first:
                    left += [l for l in lanes if not test(l)]
                    lanes = [l for l in lanes if test(l)]
                first = False
                if form != "for":
                    for l in lanes:
                        place[l] += 1
                exits.continued = []
                lanes = sorted(body(lanes) + exits.continued) if lanes else []
                if form == "for":
                    for l in lanes:
                        place[l] += 1
            return sorted(left + exits.broken)

        return run

    def switch(self, c):
        cpp, py = self.expressions.draw("u", c.scope, 2)
        cases = self.random.randrange(2, 6)
        value, exits = self.compiled(f"{py} % {cases + 1}"), Exits()
        inner = c.inner(breaks=exits)
        deeper = inner.inner()
        labels = [*range(cases), None]
        self.random.shuffle(labels)
        self.emit(c.indent, f"switch ({cpp} % {cases + 1}u) {{")
        parts = []
        for label in labels:
            self.emit(c.indent, "default: {" if label is None else f"case {label}: {{")
            body = self.statements(deeper)
            ends = self.random.random() < 0.7
            if ends:
                self.emit(deeper.indent, "break;")
            self.emit(c.indent, "}")
            parts.append((label, body, ends))
        self.emit(c.indent, "}")

        def run(lanes):
            exits.broken = []
            chosen = {l: value(l) for l in lanes}
            current = []
            for label, body, ends in parts:
                current = sorted(current + [l for l in lanes if chosen[l] == (cases if label is None else label)])
                current = body(current) if current else current
                if ends:
                    exits.broken.extend(current)
                    current = []
            return sorted(current + exits.broken)

        return run

    def call(self, c):
        if not self.functions or c.function:
            return self.assignment(c)
        function = self.random.choice(self.functions)
        a, b = self.expressions.draw("u", c.scope, 2), self.expressions.draw("q", c.scope, 2)
        name = f"{c.prefix}u{self.random.randrange(4)}"
        self.emit(c.indent, f"{name} += {function.name}({a[0]}, {b[0]}, {', '.join(PASSED)});")
        first, second = self.compiled(a[1]), self.compiled(b[1])

        def run(lanes):
            for argument, value in (("x", first), ("y", second)):
                place = self.env.setdefault(f"{function.prefix}{argument}", [0] * self.block)
                for l in lanes:
                    place[l] = value(l)
            function.run(lanes)
            for l in lanes:
                self.env[name][l] = self.env[name][l] + self.env[f"{function.prefix}result"][l] & U32
            return lanes

        return run

    def statements(self, c, more=0):
        choices = [(self.assignment, 5), (self.vote, 3), (self.shuffle, 3), (self.atomic, 2), (self.read_input, 1)]
        if c.depth < 4 and self.budget > 0:
            choices += [(self.branch, 4), (self.loop, 3), (self.switch, 1), (self.leave, 3), (self.call, 1)]
        makers, weights = zip(*choices)

        def make():
            self.budget -= 1
            return self.random.choices(makers, weights)[0](c)

        return self.sequence(make, self.random.randrange(1, 4) + more)

    # --- what all work-items do together ------------------------------------------------------------------------------

    def exchange(self, c):
        name = f"{c.prefix}u{self.random.randrange(4)}"
        cpp, py = self.expressions.draw("u", c.scope, 2)
        distance = self.random.randrange(1, 200)
        value = self.compiled(py)
        self.emit(c.indent, f"lds[t] = {cpp};")
        self.emit(c.indent, "__syncthreads();")
        self.emit(c.indent, f"{name} += lds[(t + {distance}u) % blockDim.x];")
        self.emit(c.indent, "__syncthreads();")

        def run(lanes):
            for l in lanes:
                self.lds[l] = value(l)
            for l in lanes:
                self.env[name][l] = self.env[name][l] + self.lds[(l + distance) % self.block] & U32
            return lanes

        return run

    def shared_sums(self, c):
        name = f"{c.prefix}u{self.random.randrange(4)}"
        self.emit(c.indent, f"for (unsigned k = t; k < {SUMS}u; k += blockDim.x) lds_sums[k] = k;")
        self.emit(c.indent, "__syncthreads();")
        body = self.statements(c.inner(lds_sums=True, indent=c.indent), more=2)
        self.emit(c.indent, "__syncthreads();")
        self.emit(c.indent, f"{name} ^= lds_sums[{name} & {SUMS - 1}u];")
        self.emit(c.indent, "__syncthreads();")

        def run(lanes):
            self.lds_sums[:] = range(SUMS)
            lanes = body(lanes)
            for l in lanes:
                self.env[name][l] ^= self.lds_sums[self.env[name][l] & SUMS - 1]
            return lanes

        return run

    def together(self, c):
        form = self.random.choice(["exchange"] * 2 + ["sums", "any", "any", "any"] + ["if", "for"] * (c.depth < 2))
        if form == "exchange":
            return self.exchange(c)
        if form == "sums":
            return self.shared_sums(c)
        if form == "any":
            return self.statements(c, more=2)
        if form == "if":
            bit = self.random.randrange(8)
            self.emit(c.indent, f"if (((p >> {bit}) ^ blockIdx.x) & 1u) {{")
            body = self.sequence(lambda: self.together(c.inner()), 2)
            self.emit(c.indent, "}")
            return lambda lanes: body(lanes) if (self.uniform >> bit ^ self.env["block"]) & 1 else lanes
        counter = self.name_new("n")
        self.emit(c.indent, f"for (unsigned {counter} = 0; {counter} < p % 3u + 1u; ++{counter}) {{")
        body = self.sequence(lambda: self.together(c.inner()), 2)
        self.emit(c.indent, "}")

        def run(lanes):
            for _ in range(self.uniform % 3 + 1):
                body(lanes)
            return lanes

        return run

    # --- the whole ----------------------------------------------------------------------------------------------------

    def function(self, index):
        function = Function(f"{self.name}_f{index}", f"f{index}")
        exits = Exits()
        c = Context(function.prefix, self.scope_of(function.prefix), function=exits)
        c.scope["u"].append((f"{function.prefix}x", f"{function.prefix}x[l]"))
        c.scope["q"].append((f"{function.prefix}y", f"{function.prefix}y[l]"))
        attribute = self.random.choice(["", "__attribute__((noinline)) ", "__forceinline__ "])
        self.emit(0, f"static __device__ {attribute}unsigned {function.name}(unsigned {function.prefix}x, "
                     f"u64 {function.prefix}y, {', '.join(f'{kind} {name}' for name, kind in PASSED.items())}) {{")
        arguments = {"u": ("x", "x[l]"), "q": ("y", "y[l]")}
        start = self.declare(function.prefix, 1, c.scope,
                             lambda kind, k: tuple(function.prefix + a for a in arguments[kind]) if kind in arguments
                             else self.expressions.constant(kind))
        body = self.statements(c, more=2)
        value = self.expressions.draw("u", c.scope, 2)
        self.emit(1, f"return {value[0]};")
        self.emit(0, "}")
        last = self.setter(f"{function.prefix}result", value[1])

        def run(lanes):
            self.env.setdefault(f"{function.prefix}result", [0] * self.block)
            exits.broken = []
            last(body(start(lanes)))

        function.run = run
        return function

    def build(self):
        self.functions = []
        for index in range(self.random.randrange(3)):
            self.budget, saved = 12, self.budget
            self.functions.append(self.function(index))
            self.budget = saved
        self.emit(0, f"__global__ void {self.name}(unsigned* out, const unsigned* in, unsigned* own, unsigned* sums, "
                     "unsigned p) {")
        self.emit(1, "__shared__ unsigned lds[256], lds_sums[8];")
        self.emit(1, "unsigned t = threadIdx.x, g = blockIdx.x * blockDim.x + t;")
        c = Context("", self.scope_of(""))

        def fill(kind, k):
            text, py = (f"in[(g * 7u + {k}u) & 255u]", f"inputs[(g[l] * 7 + {k}) & 255]")
            return {"u": (text, py), "i": (f"(int){text}", f"i32({py})"),
                    "q": (f"{text} * 0x100000001ull", f"{py} * 0x100000001"),
                        "f": (f"(float)(int){text} * 0.001f", f"f32(f32(i32({py})) * f32(0.001))")}[kind]

        start = self.declare("", 1, c.scope, fill)
        steps = self.sequence(lambda: self.together(c), self.random.randrange(2, 6))
        outputs = []
        for kind, count in COUNTS.items():
            for k in range(count):
                forms = {"u": [("{0}", "{0}")], "i": [("(unsigned){0}", "({0} & U32)")],
                         "q": [("(unsigned){0}", "({0} & U32)"), ("(unsigned)({0} >> 32)", "({0} >> 32)")],
                         "f": [("bits({0})", "bits({0})")]}[kind]
                outputs += [(cpp.format(f"{kind}{k}"), py.format(f"{kind}{k}[l]")) for cpp, py in forms]
        outputs += [(f"a[{k}]", f"a[l][{k}]") for k in range(4)]
        self.words = len(outputs)
        self.names = [cpp for cpp, _ in outputs]
        ends = []
        for k, (cpp, py) in enumerate(outputs):
            self.emit(1, f"out[g * {self.words}u + {k}u] = {cpp};")
            ends.append((f"o{k}", self.setter(f"o{k}", py)))
        self.emit(0, "}")

        def run(lanes):
            lanes = steps(start(lanes))
            for name, end in ends:
                self.env.setdefault(name, [0] * self.block)
                end(lanes)

        self.body = run


PASSED = {"t": "unsigned", "g": "unsigned", "in": "const unsigned*", "own": "unsigned*", "sums": "unsigned*"}


class Function:
    def __init__(self, name, prefix):
        self.name, self.prefix, self.run = name, prefix, None


class Context:
    """Where a statement stands: its variables, and where a break, continue or return would go."""

    def __init__(self, prefix, scope, function=None, loop=None, breaks=None, lds_sums=False, depth=0, indent=1):
        self.prefix, self.scope, self.function, self.loop, self.breaks = prefix, scope, function, loop, breaks
        self.lds_sums, self.depth, self.indent = lds_sums, depth, indent

    def inner(self, **changes):
        fields = dict(vars(self), depth=self.depth + 1, indent=self.indent + 1)
        fields.update(changes)
        return Context(**fields)
