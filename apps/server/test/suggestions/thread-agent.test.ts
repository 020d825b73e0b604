/** Suggestions beside the agent of the thread, by the rules that are in force, and until the server stops. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { start } from "../cli/support/Signalbox.ts"
import { agentOf, given, insert, page, put, setUp, soon } from "./Page.ts"

const text = "const first = sum(1, 2)\nconsole.log(first)\n  consol\n"

const call = (update: object) => ({ update: { toolCallId: "c", title: "Edit", kind: "edit", ...update } })

describe("suggestions for a page", { timeout: 60_000 }, () => {
  it.live("pause while the thread's agent edits the file, until its call or its turn has ended", () =>
    Effect.gen(function* () {
      const { client, cwd, prompt, threadId } = yield* setUp()
      const mine = yield* page(client)
      yield* mine.open("src/a.ts", text)
      yield* mine.open("b.ts", text)
      yield* prompt(
        threadId,
        "one",
        call({ sessionUpdate: "tool_call", status: "in_progress", locations: [{ path: join(cwd, "src/a.ts") }] }),
        { waitForFile: "go" },
        call({ sessionUpdate: "tool_call_update", status: "completed" }),
        { waitForFile: "next" },
        call({
          sessionUpdate: "tool_call",
          toolCallId: "d",
          status: "pending",
          content: [{ type: "diff", path: join(cwd, "b.ts"), oldText: "a", newText: "b" }]
        }),
        { waitForFile: "on" }
      )
      assert.deepStrictEqual(yield* mine.next("paused"), { type: "paused", path: "src/a.ts", isPaused: true })
      const answer = yield* mine.suggest("src/a.ts", 1, 2, 8)
      assert.deepStrictEqual(answer, { type: "paused", why: "The agent of this thread edits the file." })
      assert.lengthOf(given(yield* mine.suggest("b.ts", 1, 2, 8)).suggestions, 1)
      // A page that comes now learns it, too.
      const other = yield* page(client, "other")
      assert.deepStrictEqual(yield* other.next("paused"), { type: "paused", path: "src/a.ts", isPaused: true })

      writeFileSync(join(cwd, "go"), "")
      assert.deepStrictEqual(yield* mine.next("paused"), { type: "paused", path: "src/a.ts", isPaused: false })
      assert.lengthOf(given(yield* mine.suggest("src/a.ts", 1, 2, 8)).suggestions, 1)
      writeFileSync(join(cwd, "next"), "")
      assert.deepStrictEqual(yield* mine.next("paused"), { type: "paused", path: "b.ts", isPaused: true })
      writeFileSync(join(cwd, "on"), "")
      assert.deepStrictEqual(yield* mine.next("paused"), { type: "paused", path: "b.ts", isPaused: false })
    }).pipe(Effect.scoped)
  )

  it.live("are made by rules: rules with a fault are shown, and a start that is denied is recorded", () =>
    Effect.gen(function* () {
      const { client, cwd, state } = yield* setUp()
      const rules = join(state, "rules.json")
      writeFileSync(rules, "{ no rules")
      const mine = yield* page(client)
      yield* mine.open("a.ts", text)
      assert.lengthOf(given(yield* mine.suggest("a.ts", 1, 2, 8)).suggestions, 1)
      const { problems } = yield* mine.next("rules")
      assert.deepStrictEqual(
        problems.map(({ title }) => title),
        [`The rules in ${rules} are not in force.`]
      )

      writeFileSync(rules, JSON.stringify({ rules: [{ effect: "deny", match: { kind: "start" } }] }))
      put(state, { agents: { other: { name: "Other", ...agentOf() } }, suggestions: { provider: "other" } })
      yield* mine.next("on", ({ agent }) => agent.id === "other")
      yield* mine.open("a.ts", text)
      const refused = yield* Effect.flip(mine.suggest("a.ts", 1, 2, 8))
      if (refused._tag !== "Refused") return assert.fail(refused._tag)
      assert.strictEqual(refused.problem.title, "Other was not started.")
      const { rows } = yield* client.readAudit({ filter: {} })
      assert.deepStrictEqual(
        rows.map(({ decision: { agent, effect, folder, kind } }) => ({ agent, effect, folder, kind })),
        [{ agent: "other", effect: "deny", folder: cwd, kind: "agent" }]
      )
    }).pipe(Effect.scoped)
  )

  it.live("end with the server: its agent has gone, and the tapes are listed by the agent's name", () =>
    Effect.gen(function* () {
      const { client, server, state } = yield* setUp()
      const mine = yield* page(client)
      yield* mine.open("a.ts", text)
      yield* mine.report({ type: "changed", path: "a.ts", version: 2, changes: [insert(0, 0, " ")] })
      yield* mine.suggest("a.ts", 2, 2, 8)
      const { tape = "" } = yield* mine.sent()
      const pidOf = () => /"pid":(\d+)/.exec(readFileSync(tape, "utf8"))?.[1]
      const pid = yield* Effect.sync(pidOf).pipe(Effect.repeat({ until: (one) => one !== undefined, schedule: soon }))
      assert.isTrue(existsSync(`/proc/${pid}`))
      server.kill("SIGTERM")
      yield* server.ended
      assert.isFalse(existsSync(`/proc/${pid}`))
      assert.match(readFileSync(tape, "utf8"), /"nes\/close"[^]*"event":"exit"/)
      const list = yield* start(["tape", "list", "--state-dir", state])
      assert.match((yield* list.ended).stdout, /Nes +suggestions nes\n/)
    }).pipe(Effect.scoped)
  )
})
