/** `signalbox nes replay`: what was recorded in an editor is played to a real agent, and the answers are compared. */
import { assert, describe, it } from "@effect/vitest"
import type { Suggestion } from "@signalbox/acp/NesSchema"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { LspEditor } from "./support/LspEditor.ts"
import { at, span } from "./support/LspWorkspace.ts"
import { edited, files, type Line, reference, reportIn, session, type, uses, workspace } from "./support/Recordings.ts"
import { groupEnds, temporaryFolder } from "./support/Signalbox.ts"
import * as Suggester from "./support/Suggester.ts"

/** What an agent was sent, without the names of its sessions. */
const heardBy = (agent: Suggester.Suggester) =>
  agent
    .received(
      "document/didOpen",
      "document/didChange",
      "document/didClose",
      "document/didSave",
      "document/didFocus",
      "nes/suggest",
      "nes/accept",
      "nes/reject"
    )
    .map(({ method, params }) => ({ method, params: { ...params, sessionId: "one" } }))

/** Takes times out. Those of a recording are from a moment later. */
const withoutTimes = (value: unknown) => {
  const times: Array<number> = []
  const json = JSON.stringify(value, (name, member) => {
    if (name !== "timestampMs" && name !== "lastFocusedMs") return member
    times.push(Number(member))
    return undefined
  })
  return { rest: JSON.parse(json), times }
}

describe("signalbox nes replay", { timeout: 120_000 }, () => {
  it.live("the reference agent makes the same suggestions again, in any encoding and with whole texts", () =>
    Effect.gen(function* () {
      const here = workspace(files)
      const { code } = yield* edited(here, reference(), session(here))
      assert.strictEqual(code, 0)
      const [tape = ""] = here.recordings()
      const asked = here.linesOf().filter((line) => line.type === "asked").length
      assert.isAbove(asked, 4)
      const [before, disk] = [readFileSync(tape, "utf8"), readFileSync(join(here.folder, "uses.py"), "utf8")]
      const agents = [[], ["--encoding", "utf-8"], ["--encoding", "utf-32", "--sync", "full"]]
      for (const words of agents) {
        const replayed = yield* here.replay([tape, "--json", "--agent", reference(...words)])
        assert.deepStrictEqual([replayed.code, replayed.stderr], [0, ""])
        const report = reportIn(replayed.stdout)
        assert.deepInclude(report, { questions: asked, compared: asked })
        assert.deepInclude(report, { other: 0, different: 0, onlyRecorded: 0, onlyReplayed: 0, failedReplayed: 0 })
        assert.deepInclude(report, { accepted: { all: 1, again: 1, first: 1 } })
        assert.strictEqual(Number(report["first"]) + Number(report["nothing"]), asked)
      }
      assert.deepStrictEqual(
        [readFileSync(tape, "utf8"), readFileSync(join(here.folder, "uses.py"), "utf8")],
        [before, disk]
      )
    })
  )

  it.live("an agent hears what the recorded one heard, and its suggestions end as the person ended those", () =>
    Effect.gen(function* () {
      const here = workspace(files)
      const suggestion = (id: string, newText: string): Suggestion => ({
        kind: "edit",
        id,
        uri: here.uriOf("rows.py"),
        edits: [{ range: span(3, 4, 4), newText }]
      })
      const answers = [[], [suggestion("a", "3 = 1"), suggestion("b", "3 = 2")], []]
      const [one, other] = [Suggester.make({ answers }), Suggester.make({ answers })]
      yield* edited(here, one.line, session(here), { env: one.env })
      assert.deepStrictEqual(one.ends().slice(0, 2), [
        ["nes/accept", "a"],
        ["nes/reject", "b", "ignored"]
      ])
      const { code, stdout } = yield* here.replay(["2", "--agent", other.line], other.env)
      assert.deepStrictEqual([code, stdout], [2, ""])
      const name = here.recordings()[0]?.split("/").at(-1) ?? ""
      const replayed = yield* here.replay([name.slice(0, 12), "--agent", other.line], other.env)
      assert.strictEqual(replayed.code, 0)
      const [heard, recorded] = [withoutTimes(heardBy(other)), withoutTimes(heardBy(one))]
      assert.deepStrictEqual(heard.rest, recorded.rest)
      assert.isAbove(heard.times.length, 10)
      heard.times.forEach((time, index) => assert.closeTo(time, recorded.times[index] ?? 0, 500))
      assert.deepStrictEqual(other.ends(), one.ends())
      yield* groupEnds(other.pids()[0] ?? 0)
    })
  )

  it.live("what differs is counted and named: less, other, and more suggestions than in the recording", () =>
    Effect.gen(function* () {
      const here = workspace({ "a.ts": "one\ntwo\n" })
      const uri = here.uriOf("a.ts")
      const edit = (id: string, from: number, to: number, newText: string): Suggestion => ({
        kind: "edit",
        id,
        uri,
        edits: [{ range: span(1, from, to), newText }]
      })
      const jump: Suggestion = { kind: "jump", id: "j", uri, position: at(0, 1) }
      const recorded = Suggester.make({
        answers: [[edit("1", 0, 0, "x")], [edit("2", 1, 1, "x")], [jump], [], [edit("5", 0, 0, "x")]]
      })
      // In turn: other edits make the same text, the same edit comes second, a jump leads elsewhere, an edit is new, an edit is missing.
      const replayed = Suggester.make({
        answers: [
          [edit("1", 0, 3, "xtwo")],
          [edit("2", 3, 3, "y"), edit("3", 0, 3, "txwo")],
          [{ ...jump, position: at(0, 2) }],
          [{ ...jump, id: "k" }],
          []
        ]
      })
      yield* edited(
        here,
        recorded.line,
        (editor) =>
          Effect.gen(function* () {
            yield* editor.open(uri, "one\ntwo\n")
            for (const character of [0, 1, 2, 3, 0]) yield* editor.complete(uri, at(1, character))
          }),
        { env: recorded.env }
      )
      const [tape = ""] = here.recordings()
      const { code, stdout } = yield* here.replay([tape, "--agent", replayed.line], replayed.env)
      assert.strictEqual(code, 0)
      const lines = stdout.split("\n")
      assert.deepStrictEqual(lines.slice(4, 10), [
        "5 questions, 5 answered by both",
        "  1   20 %  the same suggestion first",
        "  1   20 %  the same suggestion, further down",
        "  1   20 %  other suggestions",
        "  1   20 %  suggestions in the recording only",
        "  1   20 %  suggestions in the replay only"
      ])
      assert.strictEqual(lines[11], "Accepted  none in the recording")
      assert.match(lines[12] ?? "", /^Latency {3}recorded {2}p50 \d+ ms, p95 \d+ ms$/)
      const elsewhere = realpathSync(temporaryFolder("state"))
      const env = { ...replayed.env, SIGNALBOX_STATE_DIR: elsewhere }
      const json = yield* here.replay([tape, "--json", "--agent", replayed.line], env)
      const questions = json.stdout
        .trimEnd()
        .split("\n")
        .map((line): Line => JSON.parse(line))
        .slice(0, -1)
      assert.deepStrictEqual(
        questions.map(({ match }) => match),
        ["first", "other", "different", "onlyReplayed", "onlyRecorded"]
      )
      // Nobody did anything, so nothing is counted, recorded or taped.
      assert.deepStrictEqual(
        ["suggestions.sqlite", "recordings", "tapes"].filter((name) => existsSync(join(elsewhere, name))),
        []
      )
      assert.isTrue(existsSync(join(here.state, "suggestions.sqlite")))
    })
  )

  it.live("the reference agent without renames differs where it has suggested one, and nowhere else", () =>
    Effect.gen(function* () {
      const here = workspace({ "uses.py": uses })
      const uri = here.uriOf("uses.py")
      yield* edited(here, reference(), (editor) =>
        Effect.gen(function* () {
          yield* editor.open(uri, uses)
          yield* editor.complete(uri, at(1, 0))
          yield* editor.change(uri, [{ range: span(2, 0, 5), newText: "whole" }])
          const [rename] = yield* editor.actions(uri, at(2, 5))
          assert.include(rename?.title, "whole")
          yield* editor.choose(rename)
        })
      )
      const [tape = ""] = here.recordings()
      const same = yield* here.replay([tape, "--agent", reference()])
      assert.deepStrictEqual(same.stdout.split("\n").slice(1, 9), [
        "          2 changes in 1 document",
        "Replayed  Signalbox suggestions 0.1.0",
        "",
        "2 questions, 2 answered by both",
        "  1   50 %  the same suggestion first",
        "  1   50 %  nothing from both",
        "",
        "Accepted  1 in the recording, 1 suggested again (100 %)"
      ])
      const other = yield* here.replay([tape, "--agent", reference("--without", "rename")])
      assert.deepStrictEqual(other.stdout.split("\n").slice(5, 9), [
        "  1   50 %  other suggestions",
        "  1   50 %  nothing from both",
        "",
        "Accepted  1 in the recording, none suggested again"
      ])
    })
  )

  it.live("a file that is never sent since is not sent, and what is said of it is left out", () =>
    Effect.gen(function* () {
      const here = workspace(files)
      yield* edited(here, reference(), session(here))
      writeFileSync(join(here.state, "settings.json"), JSON.stringify({ suggestions: { neverSend: ["rows.py"] } }))
      const agent = Suggester.make({})
      const { code, stdout } = yield* here.replay([here.recordings()[0] ?? "", "--agent", agent.line], agent.env)
      assert.strictEqual(code, 0)
      assert.include(stdout, "\n1 question about a file that is not sent any more\n")
      assert.notInclude(JSON.stringify(heardBy(agent)), "rows.py")
    })
  )

  it.live("is off by default, is switched on by the settings, and holds nothing that is never sent", () =>
    Effect.gen(function* () {
      const here = workspace({ ".gitignore": "ignored.ts\n", ".env": "", "ignored.ts": "", "a.ts": "" })
      const edit = (editor: LspEditor) =>
        Effect.gen(function* () {
          for (const name of [".env", "ignored.ts", "a.ts"]) {
            const uri = here.uriOf(name)
            yield* editor.open(uri, `${name}: none-of-this\n`)
            yield* type(editor, uri, 0, 0, "letters")
            yield* editor.actions(uri, at(0, 7), {
              diagnostics: [{ range: span(0, 0, 1), message: `wrong in ${name}`, severity: 1 }]
            })
          }
          yield* editor.change(here.uriOf("a.ts"), [{ range: span(0, 0, 0), newText: "key = 'hunter2-hunter2'\n" }])
        })
      yield* edited(here, reference(), edit, { args: [] })
      assert.deepStrictEqual(here.recordings(), [])
      writeFileSync(join(here.state, "settings.json"), JSON.stringify({ suggestions: { record: true } }))
      yield* edited(
        here,
        reference(),
        (editor) =>
          Effect.gen(function* () {
            assert.match(yield* Queue.take(editor.messages), /^What you edit is recorded in .*\.ndjson$/)
            yield* edit(editor)
          }),
        { args: [], env: { MY_TOKEN: "hunter2-hunter2" } }
      )
      const [tape = "", ...more] = here.recordings()
      assert.deepStrictEqual(more, [])
      assert.strictEqual(statSync(tape).mode & 0o777, 0o600)
      const text = readFileSync(tape, "utf8")
      assert.include(text, "a.ts: none-of-this")
      assert.include(text, "wrong in a.ts")
      assert.notInclude(text, ".env")
      assert.notInclude(text, "ignored.ts")
      assert.notInclude(text, "hunter2")
      assert.include(text, `key = '${"•".repeat("hunter2-hunter2".length)}'`)
    })
  )
})
