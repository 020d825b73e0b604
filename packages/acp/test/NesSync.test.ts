/** Both ends of suggestions together, over streams in memory. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import * as AcpAgent from "../src/AcpAgent.ts"
import * as AcpClient from "../src/AcpClient.ts"
import * as Nes from "../src/Nes.ts"
import * as NesAgent from "../src/NesAgent.ts"
import type * as NesSchema from "../src/NesSchema.ts"
import * as Positions from "../src/Positions.ts"
import * as Transport from "../src/Transport.ts"
import { clientInfo, start, text } from "./ClientSide.ts"
import { at, everyKind, range, uri } from "./NesSide.ts"
import * as RandomTexts from "./RandomTexts.ts"

/** A client and an agent that have initialized. */
const connected = Effect.fnUntraced(function* (
  nes: NesAgent.NesAgent,
  offer: NesSchema.Offer,
  chats?: NesAgent.Chats<never>
) {
  const [here, there] = yield* Transport.pair()
  const handlers = yield* NesAgent.handlers(nes)
  yield* AcpAgent.make(there, (agent) => handlers(agent, chats))
  const updates = yield* Queue.unbounded<AcpClient.IncomingUpdate>()
  const client = yield* AcpClient.make(here, {
    onUpdates: (batch) => Effect.asVoid(Queue.offerAll(updates, batch)),
    requestPermission: () => Effect.succeed({ outcome: { outcome: "cancelled" } })
  })
  yield* client.initialize({ clientInfo, capabilities: offer })
  return { client, updates }
})

/** An agent that remembers its sessions, and suggests nothing. */
const listening = (syncKind: "full" | "incremental", sessions: Array<NesAgent.Session>): NesAgent.NesAgent => ({
  wants: { events: { document: { didOpen: {}, didChange: { syncKind } } } },
  start: (session) => {
    sessions.push(session)
    return Effect.succeed({ suggest: () => Effect.succeed([]) })
  }
})

const edits = 10_000

describe("both ends of suggestions", () => {
  for (const [syncKind, encoding] of [
    ["incremental", "utf-16"],
    ["incremental", "utf-8"],
    ["incremental", "utf-32"],
    ["full", "utf-8"]
  ] as const) {
    it.effect(`[128] the agent's copy is equal, byte for byte, after ${edits} edits: ${syncKind}, ${encoding}`, () =>
      Effect.gen(function* () {
        const sessions: Array<NesAgent.Session> = []
        const offer = {
          ...everyKind,
          positionEncodings: [encoding] satisfies ReadonlyArray<Positions.PositionEncoding>
        }
        const { client } = yield* connected(listening(syncKind, sessions), offer)
        const session = yield* Nes.start(client, offer)
        assert.strictEqual(session.encoding, encoding)
        const random = RandomTexts.of(encoding.length + syncKind.length)
        let mine = Positions.of(random.text(400))
        yield* session.didOpen({ uri, languageId: "ts", version: 0, text: mine.text })
        /** The agent has handled everything that was sent when it answers. */
        const compare = Effect.fnUntraced(function* (version: number) {
          yield* session.suggest({ uri, position: at(0, 0), triggerKind: "automatic" })
          const document = sessions[0]?.documents.get(uri)
          assert.strictEqual(document?.version, version)
          assert.strictEqual(document?.lines.text, mine.text)
        })
        for (let version = 1; version <= edits; version++) {
          // The text shrinks again, so that whole texts do not take the time of the test.
          const cut = { range: { start: at(20, 0), end: at(mine.count, 0) }, text: "" }
          const changes =
            mine.length > 2000 ? [cut] : [random.change(mine.count), random.change(mine.count)].slice(random.below(2))
          mine = mine.change(changes)
          yield* session.didChange({ uri, version, changes })
          if (version % 1000 === 0) yield* compare(version)
        }
        yield* compare(edits)
      })
    )
  }

  it.effect("[128] one connection has two chats and three sessions of suggestions at once, each on its own", () =>
    Effect.gen(function* () {
      const offer = everyKind
      const asked = yield* Queue.unbounded<string>()
      const ends: Array<unknown> = []
      let lastChat = 0
      const nes: NesAgent.NesAgent = {
        start: ({ id, sendConfigOptions }) =>
          Effect.succeed({
            suggest: ({ document }) =>
              id === "nes-2"
                ? Effect.andThen(Queue.offer(asked, id), Effect.never)
                : Effect.gen(function* () {
                    yield* Effect.orDie(sendConfigOptions([{ type: "boolean", id, name: id, currentValue: true }]))
                    const replace = document?.lines.text ?? ""
                    return [{ kind: "searchAndReplace", id: "same", uri, search: id, replace } as const]
                  }),
            onEnd: ({ outcome, suggestion }) =>
              Effect.sync(() => ends.push([id, outcome, suggestion.kind === "searchAndReplace" && suggestion.search]))
          })
      }
      const side = yield* connected(nes, offer, {
        newSession: () => {
          lastChat += 1
          return Effect.succeed({ sessionId: `chat-${lastChat}` })
        },
        prompt: ({ sessionId }) => Effect.succeed({ stopReason: sessionId === "chat-1" ? "end_turn" : "max_tokens" })
      })
      const open = (version: number, words: string) => ({ uri, languageId: "ts", version, text: words })
      const request: NesSchema.SuggestRequest = { uri, position: at(0, 0), triggerKind: "manual" }
      const scope = yield* Scope.make()
      const first = yield* Nes.start(side.client, offer)
      const second = yield* Scope.provide(Nes.start(side.client, offer), scope)
      const third = yield* Nes.start(side.client, offer)
      const chats = [
        yield* side.client.newSession({ cwd: "/", mcpServers: [] }),
        yield* side.client.newSession({ cwd: "/", mcpServers: [] })
      ]
      assert.deepStrictEqual(
        [first.id, second.id, third.id, ...chats.map(({ sessionId }) => sessionId)],
        ["nes-1", "nes-2", "nes-3", "chat-1", "chat-2"]
      )
      yield* first.didOpen(open(7, "one"))
      yield* second.didOpen(open(1, "two"))
      yield* third.didOpen(open(3, "three"))
      const waiting = yield* start(Effect.exit(second.suggest(request)))
      yield* Queue.take(asked)
      const prompt = (sessionId: string) => side.client.prompt({ sessionId, prompt: [text("hi")] })
      assert.strictEqual((yield* prompt("chat-1")).stopReason, "end_turn")
      const [inFirst] = yield* first.suggest(request)
      const [inThird] = yield* third.suggest(request)
      assert.deepInclude(inFirst, { id: "same", search: "nes-1", replace: "one" })
      assert.deepInclude(inThird, { id: "same", search: "nes-3", replace: "three" })
      for (let i = 0; i < 2; i++) {
        const update = yield* Queue.take(side.updates)
        assert.deepStrictEqual(
          [first, second, third].filter(({ take }) => take(update)).map(({ id }) => id),
          [update.sessionId]
        )
      }
      assert.deepStrictEqual(
        [first, second, third].map(({ configOptions }) => configOptions().map(({ id }) => id)),
        [["nes-1"], [], ["nes-3"]]
      )
      yield* first.accept("same")
      yield* Scope.close(scope, Exit.void)
      const stopped = yield* Fiber.join(waiting)
      assert.isTrue(Exit.isFailure(stopped), "its session is closed")
      yield* third.reject("same", "replaced")
      assert.strictEqual((yield* prompt("chat-2")).stopReason, "max_tokens")
      yield* third.didChange({ uri, version: 4, changes: [{ range: range(0, 0, 5), text: "3" }] })
      assert.deepInclude((yield* third.suggest(request))[0], { replace: "3" })
      assert.deepStrictEqual(ends, [
        ["nes-1", "accepted", "nes-1"],
        ["nes-3", "rejected", "nes-3"]
      ])
    })
  )
})
