/** A thread whose agent has lost its session: nothing is sent before a person has chosen how it goes on. */
import type { ThreadCommand } from "@signalbox/contracts/Command"
import { ItemId, ThreadId, TurnId } from "@signalbox/contracts/Ids"
import { SignalboxRpc } from "@signalbox/contracts/Rpc"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import type { ItemView, ThreadView } from "@signalbox/contracts/ThreadView"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as RpcClient from "effect/rpc/RpcClient"
import * as Stream from "effect/Stream"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as HandedOver from "../../src/orchestration/HandedOver.ts"
import { connect, converse, reachable, sender } from "../cli/support/Conversation.ts"
import { call, scriptedAgent, start, temporaryFolder } from "../cli/support/Signalbox.ts"

const threadId = ThreadId.make("thread-1")
const turnId = TurnId.make("turn-2")

/** A server with a thread that has said something, and a second prompt for which the agent must start again. It can't take up sessions. */
const lost = Effect.gen(function* () {
  const state = temporaryFolder("state")
  const log = join(temporaryFolder("log"), "log.ndjson")
  const [command, script] = scriptedAgent.split(" ")
  const forgetful = { command, args: [script], env: { SCRIPTED_AGENT: "{}", SCRIPTED_AGENT_LOG: log } }
  writeFileSync(join(state, "settings.json"), JSON.stringify({ agents: { forgetful } }), { mode: 0o600 })
  const server = yield* start(["serve", "--port", "0", "--state-dir", state])
  const address = yield* reachable(server)
  yield* converse(address, threadId, ["My name is Ada."], { provider: "forgetful" })
  const until = (holds: (view: ThreadView) => boolean) =>
    Effect.gen(function* () {
      const client = yield* RpcClient.make(SignalboxRpc)
      return yield* client.watchThread({ threadId }).pipe(
        Stream.scan(
          (): ThreadView | undefined => undefined,
          (view, frame) => (frame.type === "snapshot" ? frame.view : ThreadProjection.apply(view, frame.events))
        ),
        Stream.filter((view) => view !== undefined),
        Stream.filter(holds),
        Stream.runHead,
        Effect.flatMap(Effect.fromOption)
      )
    }).pipe(Effect.provide(connect(address)))
  yield* Effect.flatMap(sender, (send) =>
    Effect.gen(function* () {
      yield* send(threadId, { type: "session.stop" })
      yield* send(threadId, { type: "turn.start", turnId, prompt: [{ type: "text", text: "What is my name?" }] })
    })
  ).pipe(Effect.provide(connect(address)))
  const held = yield* until((view) => view.heldBy !== undefined)
  const ask = (...commands: ReadonlyArray<ThreadCommand>) =>
    Effect.flatMap(sender, (send) => Effect.forEach(commands, (command) => Effect.exit(send(threadId, command)))).pipe(
      Effect.provide(connect(address))
    )
  const prompts = () =>
    readFileSync(log, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).message)
      .filter(({ method }) => method === "session/prompt")
      .map(({ params }) => params.prompt.map(({ text }: { readonly text?: string }) => text).join("\n"))
  const resume = (...flags: ReadonlyArray<string>) =>
    call(["threads", "resume", threadId, ...flags, "--state-dir", state])
  const over = until(({ turns }) => turns.some((turn) => turn.turnId === turnId && turn.status === "completed"))
  return { ask, held, prompts, resume, over, until }
})

describe("a prompt for an agent that has lost its session", () => {
  it.live("waits until a person has chosen, and then goes to the new session", () =>
    Effect.gen(function* () {
      const { held, over, prompts, resume } = yield* lost
      assert.strictEqual(held.heldBy?.why, "forgotten")
      assert.strictEqual(held.session.origin, "replaced")
      assert.strictEqual(prompts().length, 1, "nothing was sent to the new one")
      const resumed = yield* resume()
      assert.deepStrictEqual([resumed.code, resumed.stderr], [0, "1 prompt let go.\n"])
      yield* over
      assert.deepStrictEqual(prompts(), ["My name is Ada.", "What is my name?"])
      const again = yield* resume()
      assert.deepStrictEqual([again.code, /Nothing is held/.test(again.stderr)], [2, true])
    }).pipe(Effect.scoped)
  )

  it.live("takes the transcript along where that is chosen, which is said with how much it is", () =>
    Effect.gen(function* () {
      const { over, prompts, resume } = yield* lost
      const resumed = yield* resume("--transcript")
      assert.strictEqual(resumed.code, 0, resumed.stderr)
      assert.include(resumed.stderr, "The transcript goes along (whole, 1 KiB).")
      const view = yield* over
      assert.include(prompts()[1], "What is my name?")
      assert.include(prompts()[1], "Person: My name is Ada.")
      assert.include(prompts()[1], "You: My name is Ada.", "the scripted agent echoes")
      const prompt = view.items.findLast(({ type }) => type === "prompt")
      assert.strictEqual(prompt?.type === "prompt" && HandedOver.amountIn(prompt.prompt), "(whole, 1 KiB)")
    }).pipe(Effect.scoped)
  )
})

describe("a lost session that is held, too", () => {
  it.live("by a person leaves the choice to the command line, and sends nothing before it", () =>
    Effect.gen(function* () {
      const { ask, over, prompts, resume } = yield* lost
      yield* ask({ type: "queue.hold", held: true })
      const asked = yield* resume()
      assert.strictEqual(asked.code, 1, asked.stderr)
      assert.include(asked.stderr, "has lost the session")
      assert.include(asked.stderr, `signalbox threads resume ${threadId} --transcript`)
      yield* ask({ type: "queue.hold", held: true })
      assert.strictEqual(prompts().length, 1)
      const resumed = yield* resume("--transcript")
      assert.include(resumed.stderr, "The transcript goes along (whole, 1 KiB).")
      yield* over
      assert.include(prompts()[1], "Person: My name is Ada.")
    }).pipe(Effect.scoped)
  )

  it.live("gets one answer from many, and nothing that comes between goes before it", () =>
    Effect.gen(function* () {
      const { ask, over, prompts, until } = yield* lost
      const between = TurnId.make("turn-3")
      yield* ask({ type: "turn.start", turnId: between, prompt: [{ type: "text", text: "And now?" }], steer: true })
      yield* until(({ turns }) => turns.some(({ turnId }) => turnId === between))
      assert.strictEqual(prompts().length, 1)
      const choose: ThreadCommand = { type: "queue.hold", held: false, transcript: true }
      const answers = yield* Effect.all([ask(choose, choose), ask(choose)], { concurrency: "unbounded" })
      assert.strictEqual(answers.flat().filter(Exit.isSuccess).length, 1)
      yield* over
      const [, first = "", second] = prompts()
      assert.isTrue(first.startsWith("And now?") && first.includes("Person: My name is Ada."), first)
      assert.strictEqual(second, "What is my name?", "the transcript goes along once")
    }).pipe(Effect.scoped)
  )
})

describe("the transcript", () => {
  const prompt = (index: number, text: string): ItemView => ({
    type: "prompt",
    itemId: ItemId.make(`i${index}`),
    at: index,
    prompt: [{ type: "text", text }]
  })

  it("is bounded, keeps the latest, and says what is left out", () => {
    const items = Array.from({ length: 100 }, (_, index) => prompt(index, `${index} ${"x".repeat(7000)}`))
    const part = HandedOver.transcriptOf({ items })
    assert.isBelow(part!.text.length, 61_000)
    assert.include(part!.text, "its latest part; what came before is left out")
    assert.include(part!.text, "99 xxx")
    assert.notInclude(part!.text, "Person: 0 ")
    assert.match(part!.text, /\(\d+ more characters\)/)
    assert.match(HandedOver.amountIn([part!]) ?? "", /^\(latest part, \d+ KiB\)$/)
    assert.isUndefined(HandedOver.transcriptOf({ items: [] }))
  })

  it("tears no character in two", () => {
    const [part] = [HandedOver.transcriptOf({ items: [prompt(1, `${"x".repeat(5999)}😀`)] })]
    assert.isTrue(part!.text.isWellFormed())
    assert.include(part!.text, "(2 more characters)")
  })

  it("is distinguished from files that people attach under such a name", () => {
    const attached = (name: string) => ({ type: "resource", uri: `attachment:${name}`, text: "theirs" }) as const
    const part = HandedOver.transcriptOf({ items: [prompt(1, "Hello")] })!
    assert.isUndefined(HandedOver.amountIn([attached("transcript%20of%20today.txt"), attached("transcript%20%E0%A4")]))
    assert.strictEqual(HandedOver.amountIn([attached("transcript%20of%20today.txt"), part]), "(whole, 1 KiB)")
  })
})
