/** A session for suggestions whose agent is played by hand. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Nes from "../src/Nes.ts"
import type * as NesSchema from "../src/NesSchema.ts"
import { connect, start } from "./ClientSide.ts"
import { result } from "./OtherSide.ts"

export const offer: NesSchema.Offer = { nes: { jump: {} }, positionEncodings: ["utf-8", "utf-16"] }
export const everyKind: NesSchema.Offer = { ...offer, nes: { jump: {}, rename: {}, searchAndReplace: {} } }
export const uri = "file:///a.ts"
export const at = (line: number, character: number) => ({ line, character })
export const range = (line: number, start: number, end: number) => ({ start: at(line, start), end: at(line, end) })
export const everyEvent = {
  document: { didOpen: {}, didChange: { syncKind: "incremental" }, didClose: {}, didSave: {}, didFocus: {} }
} satisfies NesSchema.Capabilities["events"]
export const jump = (id: string) => ({ kind: "jump", id, uri, position: at(0, 1) })
export const edit = (id: string, ...edits: ReadonlyArray<object>) => ({ kind: "edit", id, uri, edits })

interface Setup extends Nes.Options {
  readonly nes?: unknown
  /** More of the agent's capabilities. */
  readonly more?: object
  readonly offered?: NesSchema.Offer
  /** The text of the document that is open from the beginning. Default: none is open. */
  readonly text?: string
}

/** A session with an agent that advertises this. */
export const begin = Effect.fnUntraced(function* ({ more, nes = {}, offered = offer, text, ...options }: Setup = {}) {
  const side = yield* connect()
  const { message } = yield* side.initialize(
    { protocolVersion: 1, agentCapabilities: { nes, ...more } },
    { capabilities: offered }
  )
  assert.deepNestedInclude(message.params, {
    "clientCapabilities.nes": offered.nes,
    "clientCapabilities.positionEncodings": offered.positionEncodings
  })
  const scope = yield* Scope.make()
  const { value: session } = yield* side.answered(Scope.provide(Nes.start(side.client, offered, {}, options), scope), {
    sessionId: "n"
  })
  if (text !== undefined) yield* session.didOpen({ uri, languageId: "ts", version: 1, text })
  const request: NesSchema.SuggestRequest = { uri, position: at(0, 0), triggerKind: "automatic" }
  /** Lets the agent answer a request with these suggestions. */
  const suggested = Effect.fnUntraced(function* (...suggestions: ReadonlyArray<unknown>) {
    const { value } = yield* side.answered(session.suggest(request), { suggestions })
    return value
  })
  /** Begins a request that the agent has not answered. */
  const asked = Effect.gen(function* () {
    const fiber = yield* start(session.suggest(request))
    const { id } = yield* side.other.next
    return {
      id,
      fiber,
      answer: (...suggestions: ReadonlyArray<unknown>) => side.other.send(result(id, { suggestions })),
      join: Fiber.join(fiber)
    }
  })
  /** The next messages to the agent, by method and parameters. */
  const sent = Effect.fnUntraced(function* (count: number) {
    const messages: Array<readonly [method: string | undefined, params: unknown]> = []
    for (let i = 0; i < count; i++) {
      const { method, params } = yield* side.other.next
      messages.push([method, params])
    }
    return messages
  })
  const rejected = (id: string, reason?: string): readonly [string, unknown] => [
    "nes/reject",
    { sessionId: "n", id, ...(reason && { reason }) }
  ]
  return { ...side, session, scope, request, suggested, asked, sent, rejected }
})
