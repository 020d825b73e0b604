/** The folder in which each command of a line runs: what the text shows, or unknown. */
import { assert, describe, it } from "@effect/vitest"
import * as ShellLine from "../src/shell/ShellLine.ts"

/** The folders of `a`, `b` and `c`. */
const foldersOf = (line: string): Readonly<Record<string, string | null>> =>
  Object.fromEntries(
    ShellLine.read(line).commands.flatMap(({ folder, words: [name] }) =>
      name?.type === "literal" && /^[abc]$/.test(name.value) ? [[name.value, folder]] : []
    )
  )

const cases: Readonly<
  Record<string, ReadonlyArray<readonly [line: string, folders: Readonly<Record<string, string | null>>]>>
> = {
  "is the one in which the line begins": [
    ["a; b && c", { a: ".", b: ".", c: "." }],
    ["(cd x); a", { a: "." }],
    ["cd x | a; b", { a: ".", b: "." }],
    ["cd x & a", { a: "." }],
    ["y=$(cd x) a", { a: "." }],
    ["a <(cd x); b", { a: ".", b: "." }],
    ["cd x || a", { a: "." }],
    ["! cd x && a", { a: "." }],
    ["for y in 1 2; do a; done; b", { a: ".", b: "." }],
    ["coproc cd x; a", { a: "." }],
    ["echo cd x; a", { a: "." }],
    ["cd x && exit; a", { a: "." }],
    ["if a; then (cd x); fi; b", { a: ".", b: "." }]
  ],
  "is the one behind cd": [
    ["cd x && a", { a: "x" }],
    ["cd x && a && b", { a: "x", b: "x" }],
    ["cd x/ && a", { a: "x" }],
    ["cd x && cd y && a", { a: "x/y" }],
    ["cd x && cd .. && a", { a: "." }],
    ["cd .. && a", { a: ".." }],
    ["cd /x && a", { a: "/x" }],
    ["cd /x/../y && a", { a: "/y" }],
    ["cd 'x y' && a", { a: "x y" }],
    ["cd x && (a; cd y && b); c", { a: "x", b: "x/y", c: null }],
    ["cd x && { a; cd y && b; }", { a: "x", b: "x/y" }],
    ["{ cd x && a; } && b", { a: "x", b: "x" }],
    ["(cd x && a); b", { a: "x", b: "." }],
    ["cd x && a | b", { a: "x", b: "x" }],
    ["cd x && a $(b)", { a: "x", b: "x" }],
    ["cd x || exit; a", { a: "x" }],
    ["cd x || exit 1\na; b", { a: "x", b: "x" }],
    ["cd x || { a; exit 1; }; b", { a: ".", b: "x" }],
    ["! cd x || a", { a: "x" }],
    ["cd x && for y in 1; do a; done", { a: "x" }],
    ["cd x > y && a", { a: "x" }]
  ],
  "is unknown": [
    ["cd x; a", { a: null }],
    ["cd x\na", { a: null }],
    ["cd x && a; b", { a: "x", b: null }],
    ["cd x && a || b", { a: "x", b: null }],
    ["cd x || exit $y; a", { a: null }],
    ["cd && a", { a: null }],
    ["cd - && a", { a: null }],
    ["cd -P x && a", { a: null }],
    ["cd -- x && a", { a: null }],
    ["cd '' && a", { a: null }],
    ["cd x y && a", { a: null }],
    ["cd $x && a", { a: null }],
    ["cd ~ && a", { a: null }],
    ["cd ~/x && a", { a: null }],
    ["cd x* && a", { a: null }],
    ["pushd x && a", { a: null }],
    ["popd && a", { a: null }],
    ["cd $x && cd y && a", { a: null }],
    ["if cd x; then a; fi; b", { a: null, b: null }],
    ["while cd x; do a; done; b", { a: null, b: null }],
    ["for y in 1 2; do a; cd y; done; b", { a: null, b: null }],
    ["case x in x) cd y;; esac; a", { a: null }],
    ["f() { cd x; }; f; a", { a: null }],
    ["f() { cd x; }; cd /y && f && a", { a: null }],
    ["f() { a; }; b", { a: null, b: "." }],
    ["cd() { :; }; cd x && a", { a: null }],
    ["exit() { :; }; cd x || exit; a", { a: null }],
    ["eval cd x; a", { a: null }],
    [". x; a", { a: null }],
    ["builtin cd x && a", { a: null }],
    ["command cd x && a", { a: null }],
    ["$x; a", { a: null }],
    ["CDPATH=y cd x && a", { a: null }],
    ["cd x &> y && a", { a: null }],
    ["cd x && a &> y && b", { a: "x", b: null }],
    ["{ cd x; } &> y && a", { a: null }],
    ["time cd x && a", { a: null }],
    ["time ! cd x || a", { a: null }],
    ["cd $x && (a; cd /y && b)", { a: null, b: "/y" }]
  ]
}

for (const [what, rows] of Object.entries(cases))
  describe(`The folder of a command ${what}`, () => {
    for (const [line, folders] of rows)
      it(`in ${JSON.stringify(line)}`, () => assert.deepStrictEqual(foldersOf(line), folders))
  })
