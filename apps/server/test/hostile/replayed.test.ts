/** Hostile inputs in a tape that somebody else wrote and `signalbox replay` plays. */
import { assert, describe, it } from "@effect/vitest"
import type { RuntimeEventOf } from "@signalbox/contracts/ProviderRuntimeEvent"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { call as command, temporaryFolder } from "../cli/support/Signalbox.ts"
import {
  answered,
  asks,
  call,
  change,
  chose,
  type Line,
  played,
  type Played,
  says,
  tapeOf,
  update
} from "./ForgedTape.ts"
import * as Inputs from "./Inputs.ts"
import { assertSafe } from "../support/SteeringWords.ts"

interface Check {
  readonly lines: ReadonlyArray<Line>
  readonly words?: string
  readonly env?: Readonly<Record<string, string>>
  readonly holds: (played: Played) => void
}

const of = <T extends Played["events"][number]["type"]>({ events }: Played, type: T) =>
  events.filter((event): event is RuntimeEventOf<T> => event.type === type)

const said = (played: Played) =>
  of(played, "message.delta")
    .map(({ text }) => text)
    .join("")
const warnings = (played: Played) =>
  of(played, "runtime.warning").map(({ detail = "", message }) => `${message} ${detail}`)

const way: Inputs.Way<Check> = {
  "a request that changes while it is open": {
    lines: [
      asks(Inputs.ls, Inputs.options),
      change({ toolCallId: "c", rawInput: Inputs.wipe }),
      chose("no"),
      says("end")
    ],
    holds: (played) => {
      assert.deepStrictEqual(
        of(played, "approval.changed").map(({ request }) => request.changed),
        [["input"]]
      )
      assert.match(played.text, /\$ ls[^]*rm -rf \//)
    }
  },
  "a call that changes after the answer": {
    lines: [asks(Inputs.ls, Inputs.options), chose("yes"), change({ toolCallId: "c", rawInput: Inputs.wipe })],
    holds: (played) => {
      const [warning = ""] = warnings(played)
      assert.include(warning, "changed a call after it was allowed")
      assert.include(played.text, "changed a call after it was allowed")
    }
  },
  "a request with two options of one id": {
    lines: [asks(Inputs.ls, Inputs.twice), answered({ error: { code: -32602, message: "refused then" } }), says("end")],
    holds: (played) => {
      assert.isEmpty(of(played, "approval.requested"))
      assert.include(warnings(played).join(), "two answers of one id")
    }
  },
  "members that hide in the input of a request": {
    lines: [asks({ ...Inputs.ls, rawInput: Inputs.hiding }, Inputs.options), chose("no")],
    holds: ({ text }) => {
      for (const part of Inputs.hidden) assert.include(text, part)
    }
  },
  "a title with a command in it": {
    lines: [asks({ toolCallId: "c", title: Inputs.quoting }, Inputs.options), chose("no")],
    holds: ({ text }) => {
      assert.notMatch(text, /\$ /)
      assert.include(text, "The request holds no input.")
    }
  },
  "a command of 20,000 brackets": {
    lines: [
      asks({ ...Inputs.ls, rawInput: { command: Inputs.brackets } }, Inputs.options),
      chose("no"),
      says("still here")
    ],
    holds: (played) => {
      assert.include(played.text.replaceAll(/\s/g, ""), Inputs.brackets)
      assert.include(said(played), "still here")
    }
  },
  "words that steer a terminal": {
    words: Inputs.steers,
    lines: [
      update({
        sessionUpdate: "agent_message_chunk",
        content: { type: "image", mimeType: `image/png${Inputs.steers}`, data: "aGk=" }
      }),
      says(Inputs.steers),
      asks({ toolCallId: Inputs.steers, title: Inputs.steers, kind: "execute", rawInput: { command: Inputs.steers } }, [
        { optionId: Inputs.steers, name: Inputs.steers, kind: "allow_once" }
      ]),
      chose(Inputs.steers),
      { err: Inputs.steers }
    ],
    holds: ({ json, text }) => {
      assertSafe(text)
      assertSafe(json)
      assert.include(text, "image/png")
    }
  },
  "a plan that was rejected": { never: "A replay tells what happened, and has no plan of now." },
  "a sub-agent that loses its name": {
    lines: [
      update({ sessionUpdate: "subagent_update", sessionId: "child", title: "Cleaner", state: { state: "running" } }),
      update({ sessionUpdate: "subagent_update", sessionId: "child", state: { state: "idle", stopReason: "end_turn" } })
    ],
    holds: (played) =>
      assert.deepStrictEqual([...new Set(of(played, "subagent.updated").map(({ name }) => name))], ["Cleaner"])
  },
  "output that is sent twice": {
    lines: [
      call({ ...Inputs.ls, status: "in_progress" }),
      change({
        toolCallId: "c",
        status: "completed",
        content: [{ type: "content", content: { type: "text", text: "```\nonly-once\n```" } }],
        rawOutput: { exitCode: 0, stdout: "only-once\n" }
      })
    ],
    holds: ({ text }) => assert.strictEqual(text.split("only-once").length, 2, text)
  },
  "200 KB of dots beside a secret word": {
    lines: [{ err: Inputs.dots }, says(Inputs.dots), says("end")],
    holds: (played) => assert.strictEqual(said(played).length, Inputs.dots.length + 3)
  },
  "200,000 short paragraphs": {
    lines: [says(Inputs.paragraphs)],
    holds: (played) => assert.strictEqual(said(played).length, Inputs.paragraphs.length)
  },
  "a flood beyond the limit of a turn": { never: "The limit is on what a turn stores. A replay stores nothing." },
  "one message beyond the limit of a line": {
    lines: [says("x".repeat(33 * 1024 * 1024)), says("still here")],
    holds: (played) => {
      assert.strictEqual(said(played), "still here")
      assert.isNotEmpty(warnings(played))
    }
  },
  "damage in the middle": {
    lines: [says("before"), { raw: `{"at":1,"dir":"in","line":"\u0000` }, says("behind")],
    holds: (played) => {
      assert.strictEqual(said(played), "before")
      assert.strictEqual(played.endings[0]?.type, "short")
    }
  },
  "secrets in last words and errors": {
    env: Inputs.env,
    lines: [
      { err: Inputs.lastWords },
      { in: { jsonrpc: "2.0", id: 2, error: { code: -32603, message: Inputs.lastWords } } }
    ],
    holds: ({ json, text }) => {
      for (const value of Object.values(Inputs.env)) assert.notInclude(text + json, value)
      assert.include(text, "[redacted]")
    }
  },
  "prompts that wait behind a stop": { never: "A tape has no queue: it holds what the agent was told." },
  "threads that were read": { never: "A replay is in no list of threads." }
}

describe("in a tape that is replayed", () => {
  it.live.each(Inputs.checks(way))("%s does what it does live", ([, { env = {}, holds, lines, words }]) =>
    Effect.gen(function* () {
      yield* Effect.acquireRelease(
        Effect.sync(() => Object.assign(process.env, env)),
        () => Effect.sync(() => Object.keys(env).forEach((name) => delete process.env[name]))
      )
      const result = yield* played(tapeOf(lines, words))
      if (result.endings[0]?.type !== "short") assert.deepStrictEqual(result.endings, [{ type: "played" }])
      holds(result)
    }).pipe(Effect.scoped)
  )

  it.live("words that steer a terminal do not leave the commands that read the file", () =>
    Effect.gen(function* () {
      const file = join(temporaryFolder("tape"), "forged.ndjson")
      writeFileSync(file, tapeOf([says(Inputs.steers), { raw: `${Inputs.steers}{` }], Inputs.steers))
      const commands = [
        ["replay", file],
        ["tape", "export", file]
      ]
      const ended = yield* Effect.forEach(commands, (args) => command(args), { concurrency: 2 })
      for (const { stderr, stdout } of ended) {
        assertSafe(stdout)
        assertSafe(stderr)
        assert.include(stdout + stderr, "erased")
      }
    })
  )
})
