import { ThreadId } from "@signalbox/contracts/Ids"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { converse, reachable } from "./support/Conversation.ts"
import { assertReadable, eventsOf, play, simulated } from "./support/Runs.ts"
import { call, start, temporaryFolder } from "./support/Signalbox.ts"
import { comparable } from "../support/ComparableEvents.ts"

/** Runs once with a tape, and returns what it printed. */
const taped = Effect.fnUntraced(function* (args: ReadonlyArray<string>) {
  const tape = join(temporaryFolder("tape"), "run.ndjson")
  const ran = yield* call([...args.slice(0, 1), "--tape", tape, ...args.slice(1)])
  return { tape, ran }
})

/** Who answered is not on the wire, and so on no tape. */
const withoutClient = (event: ReturnType<typeof eventsOf>[number]) => {
  if (event.type !== "approval.resolved" || event.outcome.type !== "answered") return event
  assert.deepStrictEqual(event.outcome.client, { kind: "run", name: "--approve allow" })
  const { client: _, ...outcome } = event.outcome
  return { ...event, outcome }
}

describe("signalbox replay", () => {
  it.live("prints what the run printed, and the same bytes every time", () =>
    Effect.gen(function* () {
      const { ran, tape } = yield* taped(simulated("demo", "--approve", "allow", "--json"))
      assert.strictEqual(ran.code, 0, ran.stderr)
      const again = call(["replay", "--json", tape])
      const [first, second] = yield* Effect.all([again, again], { concurrency: 2 })
      assert.strictEqual(first.code, 0, first.stderr)
      assert.strictEqual(first.stderr, "")
      assert.strictEqual(first.stdout, second.stdout)
      const [then, now] = [eventsOf(ran), eventsOf(first)]
      // A run prints nothing behind the end of its turn.
      const upToEnd = now.findIndex(({ type }) => type === "turn.completed") + 1
      assert.deepStrictEqual(comparable(now.slice(0, upToEnd)), comparable(then.map(withoutClient)))
      assert.strictEqual(now.at(-1)?.type, "session.exited")
    })
  )

  it.live("shows people what was said, asked and answered", () =>
    Effect.gen(function* () {
      const { ran, tape } = yield* taped(simulated("run `pwd`", "--approve", "allow"))
      const played = yield* call(["replay", tape])
      assert.strictEqual(played.code, 0, played.stderr)
      assert.strictEqual(played.stdout, ran.stdout)
      assert.match(played.stderr, /^-- Cursor \(simulated\).*\n> run `pwd`\n/)
      assert.match(played.stderr, /asks to: \$ pwd\n {2}answered: Allow once\n/)
      assert.match(played.stderr, /Replayed as recorded: 1 session, 1 turn, \d+ lines\.\n$/)
      assertReadable(played)
    })
  )

  it.live("shows the agent's end as the run did", () =>
    Effect.gen(function* () {
      const { ran, tape } = yield* taped(play([{ stderr: "last words" }, { text: "half" }, { wait: 50 }, { crash: 7 }]))
      const played = yield* call(["replay", tape])
      assert.strictEqual(played.stdout, ran.stdout)
      assert.match(ran.stderr, /Exit code: 7/)
      assert.match(played.stderr, /Exit code: 7[\s\S]*last words[\s\S]*Replayed as recorded/)
    })
  )

  it.live("keeps the tape's pauses if it is told to", () =>
    Effect.gen(function* () {
      const { tape } = yield* taped(play([{ text: "one" }, { wait: 1500 }, { text: " two" }]))
      const began = performance.now()
      const played = yield* call(["replay", "--speed", "1", tape])
      assert.isAbove(performance.now() - began, 1500)
      assert.strictEqual(played.stdout, "one two\n")
    })
  )

  it.live("shows what there is of a tape that is damaged, and says where", () =>
    Effect.gen(function* () {
      const { tape } = yield* taped(play([{ text: "some words" }, { repeat: 3, steps: [{ text: " more" }] }]))
      const lines = readFileSync(tape, "utf8").split("\n")
      writeFileSync(tape, lines.with(lines.length - 4, "{ not json").join("\n"))
      const played = yield* call(["replay", tape])
      assert.strictEqual(played.code, 1)
      assert.match(played.stdout, /^some words/)
      assert.match(played.stderr, new RegExp(`error: The tape .*\\n {2}Line ${lines.length - 3} is damaged`))
      assertReadable(played)
      writeFileSync(tape, "")
      const empty = yield* call(["replay", "--json", tape])
      assert.deepInclude(empty, { code: 1, stdout: "" })
      assert.match(empty.stderr, /It is empty\./)
    })
  )

  it.live("says what it does not find, and what it can't do", () =>
    Effect.gen(function* () {
      const calls: ReadonlyArray<readonly [number, RegExp, ReadonlyArray<string>]> = [
        [2, /There is no tape nothing.*signalbox tape list/, ["replay", "nothing"]],
        [2, /--speed/, ["replay", "--speed", "0", "nothing"]],
        [2, /There is no tape/, ["tape", "export", "nothing"]],
        [1, /The tapes can't be read/, ["tape", "list", "--state-dir", "/dev/null"]]
      ]
      for (const [code, words, args] of calls) {
        const ended = yield* call(args)
        assert.strictEqual(ended.code, code, ended.stderr)
        assert.match(ended.stderr, words)
        assertReadable(ended)
      }
    })
  )
})

describe("signalbox tape", () => {
  it.live("lists, exports and replays what a server recorded, by thread", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const threadId = ThreadId.make("4d1c0ffe-0000-4000-8000-000000000000")
      const server = yield* start(["serve", "--port", "0", "--state-dir", state])
      yield* converse(yield* reachable(server), threadId, ["I am sad", "You are a machine"])
      server.kill("SIGTERM")
      yield* server.ended

      const listed = yield* call(["tape", "list", "--state-dir", state])
      assert.match(listed.stdout, /^SESSION +CHANGED +LENGTH +SIZE +PARTS +AGENT +THREAD\n/)
      assert.match(listed.stdout, /Eliza +4d1c0ffe-/)
      const rows = (yield* call(["tape", "list", "--json", "--state-dir", state])).stdout.trimEnd().split("\n")
      assert.strictEqual(rows.length, 1)
      assert.deepInclude(JSON.parse(rows[0] ?? ""), { thread: threadId, agent: "Eliza" })

      const played = yield* call(["replay", "--json", "--state-dir", state, "4d1c0ffe"])
      assert.strictEqual(played.code, 0, played.stderr)
      const turns = eventsOf(played).flatMap((event) => (event.type === "turn.completed" ? [event.outcome] : []))
      assert.deepStrictEqual(turns, ["completed", "completed"])

      const file = join(temporaryFolder("export"), "out.ndjson")
      const exported = yield* call(["tape", "export", "--state-dir", state, "-o", file, threadId])
      assert.strictEqual(exported.code, 0, exported.stderr)
      assert.match(
        exported.stderr,
        /^Exported 1 tape to .*\nTaken out: 0 secrets when it was recorded, nothing now\.\n/
      )
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      const again = yield* call(["replay", "--json", file])
      assert.strictEqual(again.stdout, played.stdout)
      const piped = yield* call(["tape", "export", "--state-dir", state, "4d1c"])
      const withoutTime = (text: string) => text.split("\n").slice(1)
      assert.deepStrictEqual(withoutTime(piped.stdout), withoutTime(readFileSync(file, "utf8")))

      const over = yield* call(["tape", "export", "--state-dir", state, "-o", file, threadId])
      assert.strictEqual(over.code, 1)
      assert.match(over.stderr, /There is a file/)
      assert.isFalse(existsSync(`${file}.partial`))
    }).pipe(Effect.scoped)
  )

  it.live("has nothing on stdout when there are none", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* call(["tape", "list"])
      assert.deepStrictEqual([code, stdout, stderr], [0, "", "There are no tapes.\n"])
    })
  )
})
