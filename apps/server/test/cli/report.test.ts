/** The report of `signalbox run`, and its form on a terminal. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { flow, wrapped } from "../../src/cli/terminal/LineBreaks.ts"
import { readingLines } from "../../src/cli/terminal/ReadingText.ts"
import { play, simulated } from "./support/Runs.ts"
import { call, hasTerminals, start, temporaryFolder } from "./support/Signalbox.ts"

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("")

const toolCall = (id: string, more: object) => ({ update: { sessionUpdate: "tool_call", toolCallId: id, ...more } })
const change = {
  rawInput: { path: "/project/src/deliver.ts" },
  content: [
    { type: "diff", path: "/project/src/deliver.ts", oldText: "a\nb\nc\nd\n", newText: "a\nB\u001b[2J\nc\nd\n" }
  ]
}
const edit = toolCall("e1", { title: "Edit", kind: "edit", status: "completed", ...change })
const command = (id: string, text: string, status: string) =>
  toolCall(id, {
    title: "Run",
    kind: "execute",
    status,
    rawInput: { command: "npm test" },
    content: [{ type: "content", content: { type: "text", text } }]
  })

/** Runs a program in a terminal of so many columns. */
const within = (columns: number) => ["sh", "-c", `stty cols ${columns} rows 50; exec "$@"`, "sh"]

describe("a run", () => {
  it.live("shows what was changed, and the end of what was printed", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* call(
        play([edit, command("c1", lines(64), "completed"), command("c2", "no such test\n", "failed")])
      )
      assert.strictEqual(code, 0, stderr)
      const told = stderr.slice(0, stderr.indexOf("session: "))
      assert.strictEqual(
        told,
        `✓ Edit /project/src/deliver.ts · +1 −1
      a
    - b
    + B␛[2J
      c
… $ npm test
✓ $ npm test
    8 of 64 lines
${Array.from({ length: 8 }, (_, index) => `    │ line ${57 + index}\n`).join("")}… $ npm test
✗ $ npm test · failed
    │ no such test
`
      )
    })
  )

  it.live("shows so much of a large change, and counts the rest", () =>
    Effect.gen(function* () {
      const large = toolCall("e1", {
        title: "Edit",
        kind: "edit",
        status: "completed",
        rawInput: { path: "/project/new.txt" },
        content: [{ type: "diff", path: "/project/new.txt", newText: lines(100) }]
      })
      const { stderr } = yield* call(play([large]))
      assert.include(stderr, "✓ Edit /project/new.txt · new file, +100 −0\n    + line 1\n")
      assert.include(stderr, "    + line 24\n    … and 76 more changed lines\n")
      assert.notInclude(stderr, "line 25")
    })
  )

  it.live("does not show a rejected edit as done", () =>
    Effect.gen(function* () {
      const cwd = temporaryFolder("project")
      writeFileSync(join(cwd, "notes.txt"), "one\n")
      const { stderr } = yield* call(simulated("edit notes.txt", "--approve", "reject"), {
        cwd,
        env: { FAKE_CURSOR_QUIRKS: "perm_mode=all" }
      })
      assert.match(stderr, /^✗ Wanted to edit .*notes\.txt · rejected$/m)
      assert.notMatch(stderr, /^✓ Edit/m)
      assert.notInclude(stderr, "    + ")
      assert.strictEqual(readFileSync(join(cwd, "notes.txt"), "utf8"), "one\n")
    })
  )

  it.live.skipIf(!hasTerminals)("breaks no word, and leaves what is to be copied on one line", () =>
    Effect.gen(function* () {
      const words = Array.from({ length: 40 }, (_, index) => `word${index}`)
      const steps = [{ thought: words.join(" ") }, ...words.map((word) => ({ text: `${word} ` }))]
      const run = yield* start(play(steps), { terminal: true, within: within(37) })
      const { stdout } = yield* run.ended
      const shown = stdout.replaceAll("\r", "").split("\n")
      assert.isAbove(shown.filter((line) => /word\d/.test(line)).length, 8)
      for (const line of shown.filter((line) => /word\d/.test(line))) {
        assert.isAtMost(stripVTControlCharacters(line).length, 37)
        for (const word of line.match(/\w*word\w*/g) ?? []) assert.include(words, word)
      }
      const hint = shown.find((line) => line.startsWith("To go on with"))
      assert.isTrue(hint?.endsWith(`"…"`), hint)
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(!hasTerminals)("has red errors where colours are wanted, and nowhere else", () =>
    Effect.gen(function* () {
      const failing = play([{ error: { code: -32603, message: "Broken inside" } }])
      const coloured = yield* start(failing, { terminal: true, env: { NO_COLOR: "", TERM: "xterm" } })
      assert.include((yield* coloured.ended).stdout, "\u001b[31merror: ")
      const plain = yield* start(failing, { terminal: true, env: { NO_COLOR: "1", TERM: "xterm" } })
      const { stdout } = yield* plain.ended
      assert.include(stdout, "error: ")
      assert.notInclude(stdout, "\u001b[")
      assert.notInclude((yield* call(failing, { env: { NO_COLOR: "" } })).stderr, "\u001b[")
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(!hasTerminals)("asks with all that the request says, and names what it does not understand", () =>
    Effect.gen(function* () {
      const ask = {
        permission: {
          toolCall: {
            toolCallId: "t1",
            title: "git status",
            kind: "execute",
            rawInput: { command: "git", args: ["push", "--force"], env: { GIT_DIR: "/else\u202ewhere" }, surprise: 1 }
          },
          options: [{ optionId: "no", name: "No", kind: "reject_once" }]
        }
      }
      const fix = {
        permission: {
          toolCall: { toolCallId: "e1", title: "Small fix", kind: "edit", ...change },
          options: [{ optionId: "no", name: "No", kind: "reject_once" }]
        }
      }
      const run = yield* start(play([ask, fix]), { terminal: true })
      yield* run.says(/1 {2}No[\s\S]*Number: /)
      run.stdin.write("1\n")
      yield* run.says(/Small fix[\s\S]*Number: /)
      run.stdin.write("1\n")
      const { stdout } = yield* run.ended
      const shown = stdout.replaceAll("\r", "")
      assert.include(shown, "    git push --force\n")
      assert.include(shown, "GIT_DIR")
      assert.include(shown, "/else<U+202E>where")
      assert.include(shown, "can't be inspected: Signalbox does not understand one part of the request.")
      assert.include(shown, "as it was sent: surprise = 1")
      assert.match(
        shown,
        /change \/project\/src\/deliver\.ts · Outside the project · \+1 −1\S*\n[\s\S]*- b[\s\S]*\+ B␛\[2J/
      )
    }).pipe(Effect.scoped)
  )
})

describe("a request on a terminal", () => {
  const linesOf = (
    kind: ToolCall["kind"],
    input: unknown,
    locations: ReadonlyArray<string> = [],
    by: { readonly byComponent?: true } = {}
  ) => {
    const tool: ToolCall = {
      toolCallId: "t",
      title: "",
      kind,
      status: "pending",
      subject: { type: "none" },
      diffs: [],
      content: [],
      locations: locations.map((path) => ({ path })),
      rawInput: JSON.stringify(input),
      startedAt: 0
    }
    return readingLines({ tool, ...by }, "/w/p").map((line) =>
      typeof line === "string" ? line.trim() : line.text.trim()
    )
  }

  it("says whose words they are: the agent's, or those of a component in front of it", () => {
    const input = { command: "ls", cwd: "/w/p", description: "Looks" }
    assert.include(linesOf("execute", input), "agent says: Looks")
    assert.include(linesOf("execute", input, [], { byComponent: true }), "component says: Looks")
  })

  it("marks every path that leads out of the project, or may, as the page does", () => {
    assert.deepStrictEqual(linesOf("read", { path: "/etc/passwd" }), ["Read /etc/passwd · Outside the project"])
    assert.deepStrictEqual(linesOf("read", { path: "src/../a" }), ["Read src/../a, is /w/p/a"])
    assert.deepStrictEqual(linesOf("search", { pattern: "key", path: "~/.ssh" }), [
      "Search key in ~/.ssh · Maybe outside the project"
    ])
    assert.deepStrictEqual(linesOf("execute", { command: "ls", cwd: "/" }), [
      "ls",
      "starts in: / · Outside the project"
    ])
    assert.deepStrictEqual(linesOf("move", { source: "a", destination: "../b" }), [
      "Move a",
      "Moved to: ../b, is /w/b · Outside the project"
    ])
    assert.deepStrictEqual(linesOf("delete", { path: "a" }, ["/w/q"]), [
      "Delete a",
      "also names: /w/q · Outside the project"
    ])
    assert.include(
      linesOf("edit", { path: "/w/q", old_string: "a", new_string: "b" }),
      "change /w/q · Outside the project · +1 −1"
    )
  })
})

describe("text that comes in pieces", () => {
  const written = (width: number, ...pieces: ReadonlyArray<string>) => {
    const words = flow(width)
    return pieces.map(words.push).join("") + words.flush()
  }

  it("is broken between words, however it is cut", () => {
    const text = "alpha beta gamma delta"
    for (let at = 0; at <= text.length; at++)
      assert.strictEqual(written(12, text.slice(0, at), text.slice(at)), "alpha beta\ngamma delta")
    assert.strictEqual(written(5, "incomprehensibilities no"), "incomprehensibilities\nno")
  })

  it("keeps code as it is, and lists below their words", () => {
    assert.strictEqual(written(8, "```sh\na bb ccc dddd\n```\na bb ccc dd"), "```sh\na bb ccc dddd\n```\na bb ccc\ndd")
    assert.strictEqual(written(10, "- one two three\n"), "- one two\n  three\n")
    assert.strictEqual(written(10, "12. one two\n"), "12. one\n    two\n")
  })

  it("loses and adds nothing but line breaks and their margins", () => {
    const text = "  a  b\tc\n\n- d   e\nf漢字漢字 g"
    for (const width of [1, 3, 7, 80])
      assert.strictEqual(written(width, ...text.split("")).replace(/\s+/g, ""), text.replace(/\s+/g, ""))
    assert.strictEqual(written(Number.POSITIVE_INFINITY, text), text)
    assert.strictEqual(wrapped("  one two three", 10), "  one two\n    three")
  })
})
