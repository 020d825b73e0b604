/** `signalbox nes replay` with recordings that can't be played, and agents that don't play along. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { edited, files, reference, reportIn, session, workspace } from "./support/Recordings.ts"
import { groupEnds } from "./support/Signalbox.ts"
import * as Suggester from "./support/Suggester.ts"

describe("signalbox nes replay, bad input", { timeout: 120_000 }, () => {
  const agent = ["--agent", reference()]
  const recorded = Effect.gen(function* () {
    const here = workspace(files)
    yield* edited(here, reference(), session(here))
    const [tape = ""] = here.recordings()
    return { here, tape, lines: readFileSync(tape, "utf8").trimEnd().split("\n") }
  })

  it.live("a file that is no recording, that is damaged or newer is named with its line, and no agent starts", () =>
    Effect.gen(function* () {
      const { here, lines, tape } = yield* recorded
      const started = Suggester.make({})
      const [first = "", ...rest] = lines
      const bad: ReadonlyArray<readonly [text: string, cause: string]> = [
        ["", "It is empty."],
        ["\u0000\u0001", "It does not begin as a recording."],
        [
          '{"at":1,"dir":"note","line":{"event":"start"}}\n',
          "It is a tape of what an agent said and heard. signalbox replay plays it."
        ],
        [`${[first, rest[0], rest[1]?.slice(0, -9), ...rest.slice(2)].join("\n")}\n`, "Line 3 is damaged."],
        [`${[first, rest[0], '{"type":"changed","at":1}'].join("\n")}\n`, "Line 3 is damaged."],
        [`${[first, first].join("\n")}\n`, "Another recording begins in line 2."],
        [
          `${[first.replace('"format":1', '"format":2'), ...rest].join("\n")}\n`,
          "It is of format 2, which is newer than this Signalbox: it reads format 1."
        ],
        [`${first}\n`, "No agent is asked for suggestions in it."]
      ]
      const copy = join(here.state, "copy.ndjson")
      for (const [text, cause] of bad) {
        writeFileSync(copy, text)
        const { code, stderr, stdout } = yield* here.replay([copy, "--agent", started.line], started.env)
        assert.deepStrictEqual([code, stdout], [1, ""], cause)
        assert.deepStrictEqual(stderr.trimEnd().split("\n"), [
          "error: The recording can't be played.",
          `  ${cause}`,
          `  Path: ${copy}`
        ])
      }
      assert.deepStrictEqual(started.pids(), [])
      const folder = yield* here.replay([here.folder, ...agent])
      assert.strictEqual(folder.code, 1)
      assert.include(folder.stderr, "The recording can't be played.")
      const missing = yield* here.replay(["2025", ...agent])
      assert.strictEqual(missing.code, 2)
      assert.include(missing.stderr, "There is no recording 2025. The latest are:")
      assert.include(missing.stderr, tape.split("/").at(-1)?.replace(".ndjson", "") ?? "?")
      const none = yield* workspace({}).replay(["2025", ...agent])
      assert.include(none.stderr, '"suggestions": {"record": true} in the settings makes some.')
    })
  )

  it.live("a line that does not fit ends the replay, and so does a folder that has gone", () =>
    Effect.gen(function* () {
      const { here, lines, tape } = yield* recorded
      const copy = join(here.state, "copy.ndjson")
      writeFileSync(copy, `${lines.filter((line) => !line.includes('"opened"')).join("\n")}\n`)
      const { code, stderr } = yield* here.replay([copy, ...agent])
      assert.strictEqual(code, 1)
      assert.include(stderr, "Line 2 does not fit what stands before it.")
      writeFileSync(copy, readFileSync(tape, "utf8").replace(here.folder, join(here.folder, "gone")))
      const moved = yield* here.replay([copy, ...agent])
      assert.strictEqual(moved.code, 1)
      assert.include(moved.stderr, "The folder that was edited is not there. The agent starts in it.")
    })
  )

  it.live("a recording without an end is played as far as it goes, and that is said", () =>
    Effect.gen(function* () {
      const { here, lines, tape } = yield* recorded
      const text = readFileSync(tape, "utf8")
      const copy = join(here.state, "copy.ndjson")
      const upTo = (type: string) => lines.findIndex((line) => line.includes(`"type":"${type}"`)) + 1
      const cases = [
        [`${lines.slice(0, -1).join("\n")}\n`, "The recording has no end", 0],
        [text.slice(0, -20), "The recording ends in the middle of a line", 0],
        // The outcome of its last question was never written.
        [`${lines.slice(0, upTo("asked")).join("\n")}\n`, "The recording has no end", 1]
      ] as const
      for (const [part, words, unansweredRecorded] of cases) {
        writeFileSync(copy, part)
        const { code, stderr, stdout } = yield* here.replay([copy, "--json", ...agent])
        assert.strictEqual(code, 0)
        assert.include(stderr, words)
        assert.deepInclude(reportIn(stdout), { unansweredRecorded, different: 0 })
      }
    })
  )

  it.live(
    "an agent without suggestions, or that dies in between, or that answers nothing: what was compared is kept",
    () =>
      Effect.gen(function* () {
        const { here, tape } = yield* recorded
        const chat = Suggester.make({ capabilities: {} })
        const noNes = yield* here.replay([tape, "--agent", chat.line], chat.env)
        assert.strictEqual(noNes.code, 1)
        assert.include(noNes.stderr, "makes no suggestions.")
        assert.strictEqual(noNes.stdout, "")
        const dying = [
          { method: "document/didClose", stdout: "1 question, 1 answered by both" },
          { method: "nes/suggest", stdout: "" }
        ]
        for (const { method, stdout } of dying) {
          const agent = Suggester.make({ dies: method })
          const dead = yield* here.replay([tape, "--agent", agent.line], agent.env)
          assert.strictEqual(dead.code, 1)
          assert.match(dead.stderr, /error: .*Suggester.*/)
          assert.include(dead.stderr, "Exit code: 3")
          assert.strictEqual(dead.stdout.split("\n")[4] ?? "", stdout)
          for (const pid of agent.pids()) yield* groupEnds(pid)
          assert.lengthOf(agent.pids(), 1)
        }
        const wrong = Suggester.make({ errors: { "nes/suggest": { code: -32603, message: "no luck" } } })
        const failing = yield* here.replay([tape, "--agent", wrong.line], wrong.env)
        assert.strictEqual(failing.code, 1)
        assert.include(failing.stderr, "no luck")
        assert.lengthOf(wrong.received("nes/suggest"), 5)
      })
  )
})
