import { assert, describe, it } from "@effect/vitest"
import { hereOf, type Watched } from "@signalbox/client/WatchedThread"
import { ProviderId, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import { hasEnded } from "@signalbox/threads/TurnState"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import * as TestView from "../src/testing/TestView.ts"
import type { Host } from "../src/view/ViewSession.ts"
import * as SignalboxServer from "./support/SignalboxServer.ts"

const eliza = ProviderId.make("eliza")

const hostOf = (server: SignalboxServer.SignalboxServer): Host => ({
  log: { info: () => {}, warn: () => {} },
  find: () => Effect.runPromise(Effect.orDie(server.find)),
  welcome: () => [],
  onAsk: () => {},
  onSilent: () => {}
})

/** Numbers from 0 up to a bound, the same ones for the same seed. */
const numbers = (seed: number) => {
  let state = seed
  return (bound: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}

const textsOf = (watched: Watched): ReadonlyArray<string> =>
  hereOf(watched)?.view.items.flatMap((item) =>
    item.type === "prompt"
      ? item.prompt.flatMap((part) => (part.type === "text" ? `> ${part.text}` : []))
      : item.type === "message"
        ? item.text
        : []
  ) ?? []

const endedTurns = (watched: Watched): number =>
  hereOf(watched)?.view.turns.filter(({ status }) => hasEnded(status)).length ?? 0

const started = async (view: TestView.TestView, cwd: string): Promise<ThreadId> => {
  const threadId = ThreadId.make(randomUUID())
  view.show()
  await view.send(threadId, { type: "thread.create", provider: eliza, cwd })
  view.watch(threadId)
  view.show()
  await view.until(threadId, ({ state }) => state === "here")
  return threadId
}

const prompt = (view: TestView.TestView, threadId: ThreadId, text: string): Promise<void> =>
  view.send(threadId, {
    type: "turn.start",
    turnId: TurnId.make(randomUUID()),
    provider: eliza,
    prompt: [{ type: "text", text }]
  })

describe("a view that is hidden, killed and shown at any moment", () => {
  for (const seed of [1, 2, 3, 4])
    it.live(`has in the end what the server has, each text once [seed ${seed}]`, () =>
      Effect.gen(function* () {
        const server = yield* SignalboxServer.make
        const view = TestView.make(hostOf(server))
        const pick = numbers(seed)
        yield* Effect.promise(async () => {
          const threadId = await started(view, server.folder)
          const prompts = Array.from({ length: 6 }, (_, at) => `I feel ${at} of ${seed}`)
          for (const text of prompts) {
            const sent = prompt(view, threadId, text)
            for (let step = pick(5); step > 0; step -= 1) {
              const what = [view.show, view.hide, view.crash, view.show][pick(4)]
              what?.()
              // Lets some messages pass, and others not.
              for (let turns = pick(40); turns > 0; turns -= 1) await new Promise((resolve) => setImmediate(resolve))
            }
            view.show()
            await sent
          }
          const last = await view.until(threadId, (watched) => endedTurns(watched) === prompts.length)
          const other = TestView.make(hostOf(server))
          other.watch(threadId)
          other.show()
          const whole = await other.until(threadId, (watched) => endedTurns(watched) === prompts.length)
          assert.deepStrictEqual(textsOf(last), textsOf(whole))
          assert.deepStrictEqual(
            textsOf(last).filter((text) => text.startsWith("> ")),
            prompts.map((text) => `> ${text}`)
          )
          assert.strictEqual(textsOf(last).length, 2 * prompts.length, textsOf(last).join("\n"))
          view.hide()
          other.hide()
        })
      }).pipe(Effect.scoped)
    )

  it.live("goes on after the server was killed: what was sent meanwhile is sent once", () =>
    Effect.gen(function* () {
      const server = yield* SignalboxServer.make
      const view = TestView.make(hostOf(server))
      yield* Effect.promise(async () => {
        const threadId = await started(view, server.folder)
        await prompt(view, threadId, "I am first")
        await view.until(threadId, (watched) => endedTurns(watched) === 1)
        server.kill()
        const sent = prompt(view, threadId, "I am second")
        view.hide()
        view.show()
        await sent
        const last = await view.until(threadId, (watched) => endedTurns(watched) === 2)
        assert.deepStrictEqual(
          textsOf(last).filter((text) => text.startsWith("> ")),
          ["> I am first", "> I am second"]
        )
        view.hide()
      })
    }).pipe(Effect.scoped)
  )
})

describe("a hidden view", () => {
  it.live("has no connection to the server, and agents work on without it", () =>
    Effect.gen(function* () {
      const server = yield* SignalboxServer.make
      const opened: Array<string> = []
      const view = TestView.make({
        ...hostOf(server),
        log: { info: (_, message) => opened.push(message), warn: () => {} }
      })
      yield* Effect.promise(async () => {
        const threadId = await started(view, server.folder)
        await prompt(view, threadId, "I am hidden")
        view.hide()
        assert.isUndefined(view.state(threadId))
        const other = TestView.make(hostOf(server))
        other.watch(threadId)
        other.show()
        await other.until(threadId, (watched) => endedTurns(watched) === 1)
        other.hide()
        view.show()
        const back = await view.until(threadId, (watched) => endedTurns(watched) === 1)
        assert.strictEqual(textsOf(back).length, 2)
        view.hide()
      })
    }).pipe(Effect.scoped)
  )
})
