/** What people see of a researcher: one tool call in their own session, with its steps, live and afterwards. */
import { assert, describe, it } from "@effect/vitest"
import * as Research from "@signalbox/contracts/Research"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import { type Bench, start } from "./HandAgent.ts"

type Chain = Effect.Success<ReturnType<typeof start>>

interface Shown {
  readonly sessionId: string
  readonly update: {
    readonly sessionUpdate: string
    readonly toolCallId: string
    readonly status: string
    readonly title?: string
    readonly content: ReadonlyArray<{ readonly content: { readonly text: string } }>
    readonly _meta: { readonly [name: string]: unknown }
  }
}

const next = ({ client }: Chain) =>
  Effect.map(Queue.take(client.heard), ({ params = "null" }): Shown => JSON.parse(params))

/** Takes what people are shown, until the research has ended. */
const untilEnd = (chain: Chain) =>
  Effect.gen(function* () {
    const all = [yield* next(chain)]
    while (all.at(-1)?.update.status === "in_progress") all.push(yield* next(chain))
    return all
  })

const researchIn = ({ update }: Shown): Research.Research => {
  const research = Research.inMeta(update._meta)
  if (research === undefined) throw new Error(`No research: ${JSON.stringify(update)}`)
  return research
}

const tool = ({ notify }: Bench, update: object) =>
  notify("session/update", { update: { sessionUpdate: "tool_call", toolCallId: "t1", ...update } })

const returning = (bench: Bench, response: unknown) =>
  bench.call("return_response_to_user", { response }, () => bench.end("end_turn"))

describe("What is shown of a researcher", () => {
  it.live("begins with the question, grows by its steps, and ends with what was found", () =>
    Effect.gen(function* () {
      const go = yield* Deferred.make<Bench>()
      const chain = yield* start({ prompted: (bench) => Deferred.doneUnsafe(go, Effect.succeed(bench)) })
      const asked = yield* Effect.forkScoped(chain.ask("How does it turn left?"))
      const first = yield* next(chain)
      assert.strictEqual(first.sessionId, chain.own.id)
      assert.deepInclude(first.update, {
        sessionUpdate: "tool_call",
        status: "in_progress",
        title: "Research of left 1.2.3"
      })
      assert.deepInclude(researchIn(first), {
        prompt: "How does it turn left?",
        steps: [],
        state: "running",
        decided: 0
      })

      const bench = yield* Deferred.await(go)
      tool(bench, { title: "Read index.js", kind: "read", status: "in_progress" })
      const second = yield* next(chain)
      assert.strictEqual(second.update.sessionUpdate, "tool_call_update")
      assert.strictEqual(second.update.toolCallId, first.update.toolCallId)
      assert.deepInclude(researchIn(second).steps[0], { title: "Read index.js", kind: "read", state: "running" })

      tool(bench, { sessionUpdate: "tool_call_update", status: "completed" })
      tool(bench, { toolCallId: "t2", title: "Search left", kind: "search", status: "failed" })
      // Nobody says how this one ended.
      tool(bench, { toolCallId: "t3", title: "Think", kind: "think", status: "in_progress" })
      returning(bench, "By its **left** export.")
      const last = (yield* untilEnd(chain)).at(-1) ?? second
      assert.strictEqual(last.update.status, "completed")
      const { findings, state, steps } = researchIn(last)
      assert.deepStrictEqual([state, findings], ["completed", "By its **left** export."])
      assert.deepStrictEqual(
        steps.map((step) => [step.title, step.state, typeof step.ms]),
        [
          ["Read index.js", "completed", "number"],
          ["Search left", "failed", "number"],
          ["Think", "running", "undefined"]
        ]
      )
      // A client that knows nothing of research shows the same as text.
      const text = last.update.content[0]?.content.text ?? ""
      for (const words of ["How does it turn left?", "✓ Read index.js", "✗ Search left", "By its **left** export."])
        assert.include(text, words)
      yield* Fiber.join(asked)
      assert.deepStrictEqual(yield* Queue.clear(chain.client.heard), [])
    }).pipe(Effect.scoped)
  )

  it.live("counts the requests that its rule has answered", () =>
    Effect.gen(function* () {
      const options = [{ optionId: "no", name: "No", kind: "reject_once" }]
      const chain = yield* start({
        prompted: (bench) =>
          bench.ask(
            "session/request_permission",
            { toolCall: { toolCallId: "t", kind: "execute", rawInput: { command: "rm -rf /" } }, options },
            () => returning(bench, "nothing")
          )
      })
      yield* chain.ask("?")
      const last = (yield* untilEnd(chain)).at(-1)
      assert.deepInclude(last && researchIn(last), { decided: 1, approval: "read-only" })
    }).pipe(Effect.scoped)
  )

  it.live("says why nothing was found", () =>
    Effect.gen(function* () {
      const chain = yield* start({ prompted: (bench) => bench.fail("out of tokens") })
      yield* Effect.exit(chain.ask("?"))
      const last = (yield* untilEnd(chain)).at(-1)
      assert.strictEqual(last?.update.status, "failed")
      assert.deepInclude(last && researchIn(last), {
        state: "failed",
        findings: "The researcher failed: out of tokens."
      })
    }).pipe(Effect.scoped)
  )

  it.live("ends with the turn that it belongs to", () =>
    Effect.gen(function* () {
      const chain = yield* start({ prompted: () => {} })
      const asked = yield* Effect.forkScoped(Effect.exit(chain.ask("?")))
      yield* next(chain)
      chain.client.connection.notify({
        side: "client",
        method: "session/cancel",
        params: JSON.stringify({ sessionId: chain.own.id })
      })
      const last = (yield* untilEnd(chain)).at(-1)
      assert.strictEqual(last?.update.status, "failed")
      assert.strictEqual(last && researchIn(last).state, "cancelled")
      yield* Fiber.join(asked)
    }).pipe(Effect.scoped)
  )

  it("is none with numbers that cannot be", () => {
    const research = {
      ecosystem: "npm",
      package: "left",
      version: "1.2.3",
      prompt: "?",
      steps: [],
      left: 0,
      decided: 0,
      approval: "all",
      state: "running"
    }
    const step = { at: 1, title: "Read", kind: "read", state: "completed", ms: 1 }
    const inMeta = (members: object) => Research.inMeta({ [Research.metaKey]: { ...research, ...members } })
    assert.isDefined(inMeta({ steps: [step] }))
    for (const members of [{ left: -1 }, { decided: -1 }, { steps: [{ ...step, ms: -1 }] }])
      assert.isUndefined(inMeta(members))
  })

  it.live("takes no step whose id is no text, and goes on", () =>
    Effect.gen(function* () {
      const chain = yield* start({
        prompted: (bench) => {
          for (const toolCallId of [{ toString: 1, valueOf: 1 }, null, 7, ["t"], "x".repeat(100_000)])
            tool(bench, { toolCallId, title: "Odd" })
          tool(bench, { title: "Read index.js" })
          returning(bench, "found")
        }
      })
      yield* chain.ask("?")
      const last = (yield* untilEnd(chain)).at(-1)
      assert.deepStrictEqual(last && researchIn(last).steps.map(({ title }) => title), ["Read index.js"])
    }).pipe(Effect.scoped)
  )

  it.live("is bounded, however much a researcher does", () =>
    Effect.gen(function* () {
      const chain = yield* start({
        prompted: (bench) => {
          for (let step = 0; step < 500; step++)
            tool(bench, { toolCallId: `t${step}`, title: `${step} ${"x".repeat(10_000)}`, kind: "k".repeat(1000) })
          // Titles of those that are left out do not bring them back.
          tool(bench, { sessionUpdate: "tool_call_update", toolCallId: "t0", status: "completed" })
          tool(bench, { sessionUpdate: "tool_call_update", toolCallId: "t1", title: "1 again", status: "completed" })
          returning(bench, "y".repeat(100_000))
        }
      })
      yield* chain.ask("q".repeat(100_000))
      const all = yield* untilEnd(chain)
      for (const one of all) assert.isAtMost(JSON.stringify(one).length, 64_000)
      const last = all.at(-1)
      const { left, steps } = last === undefined ? { left: 0, steps: [] } : researchIn(last)
      assert.deepStrictEqual([left, steps.length, steps[0]?.title.slice(0, 4)], [460, 40, "460 "])
    }).pipe(Effect.scoped)
  )
})
