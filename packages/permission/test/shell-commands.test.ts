/** Commands and files of lines that can be read in full: each one wherever it stands, with its words behind the quotes. */
import { assert, describe, it } from "@effect/vitest"
import * as ShellLine from "../src/shell/ShellLine.ts"
import * as Shown from "./shell/Shown.ts"

type Case = readonly [line: string, ...commands: ReadonlyArray<string>]

const found: Readonly<Record<string, ReadonlyArray<Case>>> = {
  "in lists, pipes and groups": [
    ["ls", "ls"],
    ["ls; pwd", "ls", "pwd"],
    ["ls\npwd", "ls", "pwd"],
    ["a && b || c", "a", "b", "c"],
    ["a & b", "a", "b"],
    ["a | b |& c", "a", "b", "c"],
    ["! a", "a"],
    ["! ! a", "a"],
    ["time a", "a"],
    ["time -p a b", "a b"],
    ["time ! a | b", "a", "b"],
    ["(a; b)", "a", "b"],
    ["{ a; b; }", "a", "b"],
    ["( ( a ) )", "a"],
    ["a # b", "a"],
    ["a #b\nc", "a", "c"],
    ["a\\\nb", "ab"],
    ["a \\\n b", "a b"]
  ],
  "in loops, conditions and functions": [
    ["if a; then b; elif c; then d; else e; fi", "a", "b", "c", "d", "e"],
    ["while a; do b; done", "a", "b"],
    ["until a; do b; done", "a", "b"],
    ["for x in 1 2; do a; done", "a"],
    ["for x in $(a); do b; done", "a", "b"],
    ["for x; do a; done", "a"],
    ["case $(a) in x) b;; *) c;; esac", "a", "b", "c"],
    ["case x in $(a)) b;; esac", "a", "b"],
    ["f() { a; }; f", "a", "f"],
    ["f() ( a )", "a"],
    ["function f { a; }", "a"],
    ["function f() { a; }", "a"],
    ["f() { a; } < x", "a"],
    ["select x in 1; do a; done", "a"]
  ],
  "in substitutions": [
    ["a $(b)", "b", "a ?$(b)"],
    ["a `b`", "b", "a ?`b`"],
    ['a "$(b)"', "b", 'a ?"$(b)"'],
    ['a "x`b`y"', "b", 'a ?"x`b`y"'],
    ["a '$(b)'", 'a "$(b)"'],
    ["a '`b`'", 'a "`b`"'],
    ["a \\$\\(b\\)", 'a "$(b)"'],
    ["a $(b $(c))", "c", "b ?$(c)", "a ?$(b $(c))"],
    ["a <(b) >(c)", "b", "c", "a ?<(b) ?>(c)"],
    ["a ${x:-$(b)}", "b", "a ?${x:-$(b)}"],
    ["a ${x:+`b`}", "b", "a ?${x:+`b`}"],
    ["a ${x#$(b)}", "b", "a ?${x#$(b)}"],
    ["a ${x?$(b)}", "b", "a ?${x?$(b)}"],
    ["x=$(a)", "a"],
    ["x=$(a) b", "a", "b"],
    ["x=($(a) b)", "a"],
    ['export x="$(a)"', "a", 'export ?x="$(a)"'],
    ['a $"y $(b)"', "b", 'a ?$"y $(b)"'],
    ["a {x,$(b)}", "b", "a ?{x,$(b)}"],
    ["a [$(b)]", "b", "a ?[$(b)]"],
    ["[[ $(a) == b ]]", "a"],
    ["[[ x == *$(a) ]]", "a"],
    ["[[ -n $(a) ]]", "a"],
    ["[[ ! -f $(a) ]]", "a"],
    ["a <<< $(b)", "b", "a"],
    ["a <<E\n$(b)\nE", "b", "a"],
    ["a <<E\n`b`\n${x:-$(c)}\nE", "b", "c", "a"],
    ["a <<'E'\n$(b)\nE", "a"],
    ["a <<\\E\n$(b)\nE", "a"],
    ["a <<-E\n\t$(b)\n\tE\nc", "b", "a", "c"],
    ["a <<E | b\nx\nE\nc", "a", "b", "c"],
    [
      "git commit -m \"$(cat <<'EOF'\nIt's `done` $(x)\nEOF\n)\"",
      "cat",
      "git commit -m ?\"$(cat <<'EOF'\nIt's `done` $(x)\nEOF\n)\""
    ],
    ["a $(b <<E\n$(c)\nE\n)", "c", "b", "a ?$(b <<E\n$(c)\nE\n)"]
  ],
  "with words behind their quotes": [
    ["r\\m x", "rm x"],
    ["'rm' x", "rm x"],
    ['"rm" x', "rm x"],
    ["r''m x", "rm x"],
    ['r"m" x', "rm x"],
    ["$'\\x72m' x", "rm x"],
    ["$'\\162\\155' x", "rm x"],
    ["$'r\\u006d' x", "rm x"],
    ["'if' x", "if x"],
    ["\\if x", "if x"],
    ["''", '""'],
    ["a ''", 'a ""'],
    ["a 'b c'", 'a "b c"'],
    ["a b' 'c", 'a "b c"'],
    ['a "b\\"c"', 'a "b\\"c"'],
    ['a "b\\c"', 'a "b\\\\c"'],
    ["a b\\ c", 'a "b c"'],
    ['a "it\'s"', 'a "it\'s"'],
    ["a $'x\\ty'", 'a "x\\ty"'],
    ["a x=1", "a x=1"],
    ["a {}", 'a "{}"'],
    ["a {x}", 'a "{x}"'],
    ["a x#y", 'a "x#y"'],
    ["./rm x", "./rm x"],
    ["/bin/rm x", "/bin/rm x"],
    ["a é日本", 'a "é日本"']
  ],
  "with words that are known when they run only": [
    ["a $x", "a ?$x"],
    ['a "$x"', 'a ?"$x"'],
    ["a ${x}y", "a ?${x}y"],
    ["a $1 $@ $* $# $?", "a ?$1 ?$@ ?$* ?$# ?$?"],
    ["a {b,c}", "a ?{b,c}"],
    ["a {1..3}", "a ?{1..3}"],
    ['a {"b","c"}', 'a ?{"b","c"}'],
    ["a \\{b,c}", 'a "{b,c}"'],
    ["a ~user/x", "a ?~user/x"],
    ["a ~+/x ~- ~1", "a ?~+/x ?~- ?~1"],
    ['a ~""/x', 'a ?~""/x'],
    ["a x=~/y", "a ?x=~/y"],
    ["a x=b:~/y", "a ?x=b:~/y"],
    ["a $'\\u00e9'", "a ?$'\\u00e9'"],
    ["a ~/$x", "a ?~/$x"],
    ["a ~/*.ts", "a ?~/*.ts"]
  ],
  "with patterns and the folder before them": [
    ["a *", "a *|*"],
    ["a *.ts", "a *|*.ts"],
    ["a src/*.ts", "a *src/|src/*.ts"],
    ["a src/x*/y/*.ts", "a *src/|src/x*/y/*.ts"],
    ["a /etc/pass?d", "a */etc/|/etc/pass?d"],
    ["a [ab]c", "a *|[ab]c"],
    ["a 'b c'/*", "a *b c/|'b c'/*"],
    ["a \\*", 'a "*"'],
    ["a '*'", 'a "*"'],
    ["a src/**/x", "a *src/|src/**/x"],
    ["a ./.e*", "a *./|./.e*"],
    // These may become `..`, or go up behind a link.
    ["a .*", "a ?.*"],
    ["a .?/x", "a ?.?/x"],
    ["a src/.*/x", "a ?src/.*/x"],
    ["a */../x", "a ?*/../x"],
    ["a */..", "a ?*/.."],
    ["a x/..?", "a ?x/..?"]
  ],
  "with the home folder": [
    ["a ~", "a ~/"],
    ["a ~/", "a ~/"],
    ["a ~/x/y", "a ~/x/y"],
    ['a ~/"x y"', "a ~/x y"],
    ["a \\~/x", 'a "~/x"'],
    ["a '~/x'", 'a "~/x"'],
    ['a "~"/x', 'a "~/x"'],
    ["a x~", 'a "x~"']
  ],
  "with assignments that change nothing that runs": [
    ["x=1"],
    ["CI=1 npm test", "npm test"],
    ["CI='true' FORCE_COLOR=0 a", "a"],
    ["NO_COLOR= a", "a"],
    ["PYTHONUNBUFFERED=1 RUST_LOG=core=debug,http=off a", "a"],
    ["GIT_PAGER=cat LC_ALL=C git log", "git log"],
    ["export NODE_ENV=test", "export NODE_ENV=test"],
    ["while IFS= read -r x; do a; done", "read -r x", "a"],
    ["NODE_ENV=test RUST_BACKTRACE=1 a b", "a b"],
    ["x=1 y=2"],
    ["x+=1"],
    ["x[0]=1"],
    ["x=(1 2)"],
    ["x=([0]=1 [1]=2)"],
    ["export x=1 y", "export x=1 y"],
    ["export -n x", "export -n x"],
    ['export x="$y"', 'export ?x="$y"'],
    ["declare -a x=(1)", "declare -a ?x=(1)"],
    ["declare -rx x=1", "declare -rx x=1"],
    ['f() { local x="$1"; }', 'local ?x="$1"'],
    ["readonly x=1", "readonly x=1"],
    ["read -r x y", "read -r x y"],
    ['read -p "$q" x', 'read -p ?"$q" x'],
    ["mapfile -t x < f", "mapfile -t x"],
    ["getopts ab: x", "getopts ab: x"],
    ["printf -v x y", "printf -v x y"],
    ["unset x", "unset x"],
    ["a ${x:=1}", "a ?${x:=1}"]
  ],
  "with builtins whose arguments change nothing that runs": [
    ["[ -f x ]", "[ -f x ]"],
    ['[ "$x" = y ]', '[ ?"$x" = y ]'],
    ['[ -z "$x" ] && a', '[ -z ?"$x" ]', "a"],
    ["[ $# -eq 0 ]", "[ ?$# -eq 0 ]"],
    ["[ -v x ]", "[ -v x ]"],
    ["test -d x", "test -d x"],
    ["[[ -f x && -d y ]]"],
    ["[[ $x == y* ]]"],
    ["[[ $x =~ ^(a|b)$ ]]"],
    ["[[ $# -gt 1 ]]"],
    ["[[ -v x ]]"],
    ["set -euo pipefail", "set -euo pipefail"],
    ["set -x; set +e", "set -x", "set +e"],
    ["set -- a b", "set -- a b"],
    ["shopt -s nullglob", "shopt -s nullglob"],
    ["command -v node", "command -v node"],
    ['printf "%s\\n" "$x"', 'printf "%s\\\\n" ?"$x"'],
    ["echo -n $x", "echo -n ?$x"],
    ["wait", "wait"],
    ["wait $!", "wait ?$!"],
    ["jobs -l", "jobs -l"],
    ["find . -name '*.ts'", 'find . -name "*.ts"'],
    ["find src/* -name *.ts", "find *src/|src/* -name *|*.ts"],
    ['find "./$x" -type f', 'find ?"./$x" -type f'],
    ["fd -e ts x", "fd -e ts x"],
    ["a $((1 + 2))", "a ?$((1 + 2))"],
    ["a $(($# - 1))", "a ?$(($# - 1))"],
    ["a ${x:0:7} ${x: -3} ${#x}", "a ?${x:0:7} ?${x: -3} ?${#x}"],
    ["a ${x[0]} ${x[@]} ${#x[@]}", "a ?${x[0]} ?${x[@]} ?${#x[@]}"],
    ["a ${x^^} ${x//a/b} ${x%.*} ${x@Q}", "a ?${x^^} ?${x//a/b} ?${x%.*} ?${x@Q}"]
  ]
}

for (const [where, cases] of Object.entries(found))
  describe(`Commands ${where}`, () => {
    for (const [line, ...commands] of cases)
      it(`in ${JSON.stringify(line)}`, () => {
        const reading = ShellLine.read(line)
        assert.deepStrictEqual(Shown.commands(reading), commands)
        assert.deepStrictEqual(reading.obstacles, [])
      })
  })

describe("Files that the shell opens", () => {
  const opened: ReadonlyArray<Case> = [
    ["a > x", "> x"],
    ["a >> x", "> x"],
    ["a >| x", "> x"],
    ["a &> x", "> x"],
    ["a &>> x", "> x"],
    ["a < x", "< x"],
    ["a <> x", "< x", "> x"],
    ["a 2> x", "> x"],
    ["a 3<> x", "< x", "> x"],
    ["a >& x", "> x"],
    ["> x", "> x"],
    ["> x a", "> x"],
    ["a > 'b c'", '> "b c"'],
    ["a > ~/x", "> ~/x"],
    ["a > *.log", "> *|*.log"],
    ["(a) > x", "> x"],
    ["{ a; } > x 2> y", "> x", "> y"],
    ["if a; then b; fi > x", "> x"],
    ["while a; do b; done < x", "< x"],
    ["f() { a; } > x", "> x in null"],
    ["a $(b > x)", "> x"],
    ["[[ -f a ]] > x", "> x"],
    ["cd y && a > x", "> x in y"],
    ["cd y && a &> x", "> x in null"],
    ["cd y || exit; a &> x", "> x in y"],
    ["a > x | b < y", "> x", "< y"],
    ["a <<E > x\ny\nE", "> x"],
    ["x=1 > y", "> y"]
  ]
  for (const [line, ...files] of opened)
    it(`in ${JSON.stringify(line)}`, () => {
      const reading = ShellLine.read(line)
      assert.deepStrictEqual(Shown.files(reading), files)
      assert.deepStrictEqual(reading.obstacles, [])
    })

  for (const line of [
    "a > /dev/null",
    "a 2> /dev/stderr > /dev/stdout",
    "a < /dev/stdin",
    "a > /dev/tty",
    "a > /dev/fd/2",
    "a 2>&1",
    "a >&2",
    "a 2>&-",
    "a <&3-",
    'a >&"1"',
    "a <<< x",
    "a <<E\nx\nE",
    "a < <(b)",
    "a > >(b)",
    "a '>' x",
    "a \\> x",
    "a # > x"
  ])
    it(`none in ${JSON.stringify(line)}`, () => {
      const reading = ShellLine.read(line)
      assert.deepStrictEqual(reading.redirections, [])
      assert.deepStrictEqual(reading.obstacles, [])
    })
})

describe("An empty line", () => {
  for (const line of ["", " ", "\n\t", "# nothing"])
    it(`has no commands: ${JSON.stringify(line)}`, () =>
      assert.deepStrictEqual(ShellLine.read(line), { commands: [], redirections: [], obstacles: [] }))
})
