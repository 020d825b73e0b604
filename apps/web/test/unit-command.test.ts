import { assert, describe, it } from "@effect/vitest"
import { programOf, readCommand } from "../src/requests/command.ts"

const split = (command: string) => readCommand(command).parts.map(({ operator, text }) => [operator ?? "", text])

describe("reading a command", () => {
  it("splits at every operator outside quotes", () => {
    assert.deepStrictEqual(split("a && b || c; d | e |& f & g\nh"), [
      ["", "a"],
      ["&&", "b"],
      ["||", "c"],
      [";", "d"],
      ["|", "e"],
      ["|&", "f"],
      ["&", "g"],
      ["\n", "h"]
    ])
  })

  it.each([
    `echo "a && b; c | d"`,
    `echo 'it && this'`,
    String.raw`echo a \&\& b \; c`,
    "echo $(a && b; c)",
    'echo "$(a && "b ; c")"',
    "echo `a | b`",
    "(a && b; c)",
    "{ a; b; }",
    "a 2>&1",
    "a &> log",
    "a >| log",
    "a <&3",
    "echo $'don\\'t; stop'",
    "echo ${a:-b;c}",
    "echo a # b && c; d"
  ])("keeps %s in one part", (command) => {
    assert.deepStrictEqual(split(command), [["", command]])
  })

  it("ends a comment at its line", () => {
    assert.deepStrictEqual(split("a # b && c\nd"), [
      ["", "a # b && c"],
      ["\n", "d"]
    ])
  })

  it("takes a # inside a word for what it is", () => {
    assert.deepStrictEqual(split("curl x#y && z"), [
      ["", "curl x#y"],
      ["&&", "z"]
    ])
  })

  it("lets a line break after an operator separate nothing", () => {
    assert.deepStrictEqual(split("a &&\n\n b;\n"), [
      ["", "a"],
      ["&&", "b"]
    ])
  })

  it.each(["echo 'a && b", 'echo "a; b', "echo $(a; b", "(a; b", "echo `a; b"])(
    "leaves %s whole and says why",
    (command) => {
      const { parts, unread } = readCommand(command)
      assert.deepStrictEqual(
        parts.map(({ text }) => text),
        [command]
      )
      assert.match(unread ?? "", /not closed/)
    }
  )

  it.each([
    ["(".repeat(20_000), /not closed/],
    ['"$('.repeat(20_000), /not closed/],
    ["${".repeat(20_000), /not closed/],
    ["{ ".repeat(20_000), /not closed/],
    ["a;".repeat(20_000), /more than 500 parts/]
  ])("leaves what is nested or split beyond sense whole: %#", (command, why) => {
    const { parts, unread } = readCommand(command)
    assert.deepStrictEqual(
      parts.map(({ text }) => text),
      [command.trim()]
    )
    assert.match(unread ?? "", why)
  })

  it("reads what is nested deeply and closed as one part", () => {
    for (const [open, close] of [
      ["(", ")"],
      ["$(", ")"],
      ['"$(', ')"'],
      ["${", "}"]
    ] as const) {
      const command = `echo ${open.repeat(20_000)}x${close.repeat(20_000)}`
      assert.deepStrictEqual(split(`${command} && ls`), [
        ["", command],
        ["&&", "ls"]
      ])
    }
  })

  // Were the cost to grow with the square of the length, these would take hours.
  it.each([
    "(",
    "'",
    '"',
    "`",
    "$'",
    "\\",
    "# ",
    "<<",
    "A=",
    "A='x' ",
    "A=$ ",
    "sh -c ",
    "((",
    "$(",
    "\n",
    " ",
    "{ ",
    "a&&"
  ])("ends for half a million times %j", (piece) => {
    const command = piece.repeat(500_000)
    const { parts } = readCommand(command)
    for (const { text } of parts) programOf(text)
    assert.isAtMost(parts.length, 500)
  })

  it("leaves a here-document whole, but not a here-string or a shift", () => {
    const command = "cat <<EOF > a\nrm -rf /; x\nEOF\nls"
    assert.deepStrictEqual(split(command), [["", command]])
    assert.match(readCommand(command).unread ?? "", /here-document/)
    assert.strictEqual(split("git commit -m \"$(cat <<'EOF'\n) && rm -rf /\nEOF\n)\"").length, 1)
    assert.strictEqual(split("cat <<< x && y").length, 2)
    assert.strictEqual(split("echo $((1 << 2)) && y").length, 2)
  })

  it("loses no character but blanks and operators", () => {
    const command = "  FOO=1 make -j8 && ./run 'a;b' | tee \"log && x\" ; rm -rf $(pwd)/x & wait\n"
    const { parts } = readCommand(command)
    let rest = command
    for (const { operator, text } of parts) {
      for (const piece of [operator ?? "", text]) {
        const at = rest.indexOf(piece)
        assert.strictEqual(rest.slice(0, at).trim(), "")
        rest = rest.slice(at + piece.length)
      }
    }
    assert.strictEqual(rest.trim(), "")
  })

  it.each([
    ["echo $(whoami)", /another command prints/],
    ["diff <(a) <(b)", /another command prints/],
    ["(a; b)", /group/],
    ["bash -c 'rm -rf /'", /text as a command/],
    ["bash -lc 'x'", /text as a command/],
    ["eval $x", /text as a command/]
  ])("notes what it does not look into: %s", (command, note) => {
    assert.match(readCommand(command).parts[0]?.notes.join(" ") ?? "", note)
  })

  it("notes nothing about quoted text and plain commands", () => {
    assert.deepStrictEqual(readCommand("echo '$(a)' \\`b").parts[0]?.notes, [])
    assert.deepStrictEqual(readCommand("ls -la").parts[0]?.notes, [])
  })

  it("finds the program behind variables", () => {
    assert.deepStrictEqual(programOf(`A=1 B="x y" pnpm run x`), {
      before: `A=1 B="x y" `,
      program: "pnpm",
      rest: " run x"
    })
    assert.deepStrictEqual(programOf("$CMD x"), { before: "", program: "", rest: "$CMD x" })
  })
})
