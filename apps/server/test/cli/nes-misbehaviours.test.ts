/** Every misbehaviour of the reference agent, by `signalbox nes lsp` and by `signalbox nes try`: what people get. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { readFileSync, realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Misbehaviour } from "../../../../packages/stand-in-agents/src/nes/Misbehaviour.ts"
import { at, opened, span } from "./support/LspWorkspace.ts"
import { referenceAgent } from "./support/ReferenceAgent.ts"
import { call, temporaryFolder } from "./support/Signalbox.ts"

/** An agent that behaves completes the third line. The lines below are for what others do wrong. */
const text = `item1 = f(10)\nitem2 = f(20)\nitem\n# 😀\n${"word ".repeat(40)}!\n`

interface Shown {
  /** What the editor can insert; how many, if they are many. */
  readonly items?: ReadonlyArray<string> | number
  /** The titles of its code actions, if they are others than insertions. */
  readonly actions?: ReadonlyArray<string>
  /** Messages that people see, and lines of the editor's log. */
  readonly messages?: ReadonlyArray<string>
  readonly notes?: ReadonlyArray<string>
  /** The exit code of `nes try`, the added lines and headings, and what is on standard error. */
  readonly code?: number
  readonly out?: ReadonlyArray<string> | number
  readonly err?: ReadonlyArray<string>
}

const suggestion = (why: string) => `A suggestion was left out: it ${why}.`
const nothing = "Signalbox suggestions suggests nothing here."
/** Nothing of the answer can be shown. */
const leftOut = (why: string, more: ReadonlyArray<string> = []): Shown => ({
  notes: [suggestion(why)],
  code: 4,
  err: [`A suggestion (edit) was left out: it ${why}.`, ...more, nothing]
})
/** The right answer, as if nothing were wrong. */
const right: Shown = { items: ["3 = f(30)"], out: ["+item3 = f(30)"] }
const completed = (newText: string, kind: string, why: string): Shown => ({
  items: [newText],
  notes: [suggestion(why)],
  out: [`+item${newText}`],
  err: [`A suggestion (${kind}) was left out: it ${why}.`]
})
const beyond = "is beyond the 20 that are taken of one answer"

const shown: Readonly<Record<Misbehaviour, Shown>> = {
  slow: right,
  never: {
    messages: [
      "Signalbox suggestions did not answer in time. nes/suggest is not answered after 20 s. Next: Ask again",
      "The agent did not answer in time. Ask again in N s."
    ],
    code: 1,
    err: [
      "error: Signalbox suggestions did not answer in time.",
      "  nes/suggest is not answered after 20 s.",
      "  Next: Run the same command again"
    ]
  },
  "stale-version": right,
  "overlapping-edits": leftOut("has edits that overlap"),
  "out-of-range": completed("beyond the line", "edit", "has edits behind the end of the file"),
  "inside-a-character": leftOut("begins or ends within a character"),
  "inverted-range": leftOut("has a range that ends before it begins"),
  "kinds-not-offered": {
    actions: ["Go to line 3", "Rename to “notOffered”, by words of the file"],
    out: [
      "# 1 of 2: Go to b.py:3:5",
      "# 2 of 2: Rename item at b.py:3:5 to notOffered, by words of the file",
      "+notOffered"
    ],
    err: ["A suggestion (searchAndReplace) was left out: it changes nothing."]
  },
  "unknown-kind": completed("3 = f(30)", "teleport", "is of an unknown kind"),
  ten: { items: 10, out: 20 },
  "ten-thousand": {
    items: 20,
    notes: [suggestion(beyond)],
    out: 40,
    err: [
      `A suggestion (edit) was left out: it ${beyond}.`,
      "… 99 more of the same",
      "9880 more were left out, which are not listed."
    ]
  },
  "duplicate-ids": completed("suggestion 1", "edit", "has the id of another suggestion"),
  dies: {
    ...right,
    messages: [
      "Signalbox suggestions ended by itself. Its process exited with code 9. It wrote nothing to stderr. Next: Ask again"
    ],
    notes: ["The agent has not heard that the suggestion was accepted: it was out of date, or the agent had ended."]
  },
  "no-such-method": {
    messages: [
      "Signalbox suggestions makes no suggestions. It offers next edit suggestions, but answers nes/start as a method that it does not know."
    ],
    code: 1,
    err: [
      "error: Signalbox suggestions makes no suggestions.",
      "  It offers next edit suggestions, but answers nes/start as a method that it does not know.",
      "  nes/start was answered: -32601 The agent advertises nes, but does not know nes/start"
    ]
  },
  "sign-in": {
    messages: [
      'Signalbox suggestions wants you to sign in. It answered nes/start with -32000, "Authentication required: auth_required". Next: Sign in to Signalbox suggestions'
    ],
    code: 1,
    err: [
      "error: Signalbox suggestions wants you to sign in.",
      '  It answered nes/start with -32000, "Authentication required: auth_required".',
      '  nes/start was answered: -32000 Authentication required {"reason":"auth_required"}',
      "  Next: Sign in to Signalbox suggestions"
    ]
  },
  "slow-pattern": {
    notes: [
      suggestion(
        "replaces a pattern, and that can't be shown: The regular expression was stopped, since it ran too long"
      )
    ],
    out: [
      '# Replace the pattern "^(\\\\w+\\\\s?)+$" by "" in b.py. The regular expression was stopped, since it ran too long'
    ]
  },
  "wrong-uri": leftOut("is about a file that is left alone: it is not open, and can't be read in the workspace", [
    "… 3 more of the same"
  ]),
  "huge-text": leftOut("is longer, or has more edits, than is taken")
}

/** All of them, or how many there are. */
const compared = (found: ReadonlyArray<string>, expected: Shown["items"]) =>
  typeof expected === "number" ? found.length : found

const agentThat = (name: string) => referenceAgent("--misbehave", name, "--delay", "300")

describe.concurrent("a misbehaviour of the reference agent", { timeout: 120_000 }, () => {
  for (const [name, expected] of Object.entries(shown)) {
    const { actions = [], code = 0, err = [], items = [], messages = [], notes = [], out = [] } = expected

    it.live(`in an editor: ${name}`, () =>
      Effect.gen(function* () {
        const { editor, uri: first } = yield* opened({ agent: agentThat(name) })
        const uri = first.replace("a.ts", "b.py")
        yield* editor.open(uri, text)
        if (name === "stale-version") {
          yield* editor.complete(uri, at(2, 4))
          yield* editor.change(uri, [{ range: span(3, 0, 0), newText: "#" }])
        }
        const before = editor.textOf(uri)
        const completions = yield* editor.complete(uri, at(2, 4))
        const insertions = completions.map(({ insertText }) =>
          typeof insertText === "string" ? insertText : insertText.value
        )
        assert.deepStrictEqual(compared(insertions, items), items)
        // A person who asks once more learns why nothing comes.
        const triggerKind = name === "never" ? 1 : 2
        const titles = (yield* editor.actions(uri, at(2, 4), { triggerKind })).map(({ title }) => title)
        assert.deepStrictEqual(
          titles,
          insertions.length === 0 ? actions : insertions.map((newText) => `Insert “${newText}” on line 3`)
        )
        assert.strictEqual(editor.textOf(uri), before)
        for (const message of messages)
          assert.strictEqual((yield* Queue.take(editor.messages)).replace(/in [0-9]+ s\.$/, "in N s."), message)
        if (name === "dies") yield* editor.accept(uri, completions[0])
        for (const note of notes) assert.strictEqual(yield* Queue.take(editor.notes), note)
        const { code } = yield* editor.leave
        assert.strictEqual(code, 0)
        assert.deepStrictEqual([yield* Queue.size(editor.messages), yield* Queue.size(editor.notes)], [0, 0])
      })
    )

    it.live(`by one question: ${name}`, () =>
      Effect.gen(function* () {
        const cwd = realpathSync(temporaryFolder("project"))
        const file = join(cwd, "b.py")
        writeFileSync(file, text)
        const place = ["b.py", "--line", "3", "--column", "5"]
        const ended = yield* call(["nes", "try", ...place, "--agent", agentThat(name)], { cwd })
        assert.deepStrictEqual(ended.stderr.split("\n"), [...err, ""])
        assert.strictEqual(ended.code, code)
        const lines = ended.stdout.split("\n").filter((line) => /^(?:#|\+(?!\+\+ ))/.test(line))
        assert.deepStrictEqual(compared(lines, out), out)
        assert.strictEqual(readFileSync(file, "utf8"), text)
      })
    )
  }
})
