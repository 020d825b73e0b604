/** Stands between the agent and its client, and breaks what the agent answers, as its switches say. */
import type * as AcpAgent from "@signalbox/acp/AcpAgent"
import { ErrorCode, RpcError } from "@signalbox/acp/JsonRpc"
import type { Document } from "@signalbox/acp/NesAgent"
import type { PositionEncoding } from "@signalbox/acp/Positions"
import * as Effect from "effect/Effect"
import { isObject, type Json, listIn, numberIn, objectIn, textIn } from "../Json.ts"
import type { Options } from "./Options.ts"
import { type Asked, wrongAnswer } from "./WrongAnswers.ts"

/** Finds a document of a session. */
type DocumentOf = (sessionId: string, uri: string) => Document | undefined

/** The time in which an answer is surely written. */
const written = "50 millis"

const die = Effect.sync(() => process.exit(9))

export const misbehaving = (
  handlers: AcpAgent.Handlers,
  { delay, misbehaviours }: Options,
  documentOf: DocumentOf
): AcpAgent.Handlers => {
  const does = (name: Parameters<typeof misbehaviours.has>[0]) => misbehaviours.has(name)
  let isSignedIn = !does("sign-in")
  let encoding: PositionEncoding = "utf-16"
  let lastNumber = 0
  let hasAnswered = false

  const askedIn = (params: Json): Asked => {
    const asked = isObject(params) ? params : {}
    const uri = textIn(asked, "uri") ?? ""
    const position = objectIn(asked, "position")
    return {
      uri,
      position: { line: numberIn(position, "line") ?? 0, character: numberIn(position, "character") ?? 0 },
      document: documentOf(textIn(asked, "sessionId") ?? "", uri),
      encoding,
      nextId: () => `wrong-${++lastNumber}`
    }
  }

  const answered = Effect.fnUntraced(function* (
    method: string,
    params: unknown,
    request: Parameters<typeof extRequest>[2]
  ) {
    if (does("never")) return yield* Effect.uninterruptible(Effect.never)
    if (does("slow")) yield* Effect.sleep(delay)
    const result = json(yield* extRequest(method, params, request))
    const right = isObject(result) ? listIn(result, "suggestions") : []
    if (does("dies")) {
      hasAnswered = true
      yield* Effect.forkDetach(Effect.delay(die, written))
    }
    return { suggestions: wrongAnswer(misbehaviours, askedIn(json(params)), right) }
  })

  const extRequest = handlers.extRequest ?? ((method: string) => Effect.fail(RpcError.methodNotFound(method)))
  const extNotification = handlers.extNotification ?? (() => Effect.void)

  return {
    ...handlers,
    initialize: (params, request) =>
      Effect.map(handlers.initialize(params, request), (response) => {
        const agreed = textIn(objectIn(asObject(response), "agentCapabilities"), "positionEncoding")
        if (agreed === "utf-8" || agreed === "utf-32") encoding = agreed
        return response
      }),
    authenticate: () =>
      Effect.sync(() => {
        isSignedIn = true
        return {}
      }),
    extRequest: (method, params, request) => {
      if (method === "nes/start" && does("no-such-method")) return Effect.fail(RpcError.methodNotFound(method))
      if (method === "nes/start" && !isSignedIn) {
        const code = ErrorCode.AuthRequired
        return Effect.fail(
          new RpcError({ code, message: "Authentication required", data: { reason: "auth_required" } })
        )
      }
      return method === "nes/suggest" ? answered(method, params, request) : extRequest(method, params, request)
    },
    // An accept may be quicker than the end that was planned.
    extNotification: (notification) =>
      hasAnswered && notification.method === "nes/accept" ? die : extNotification(notification)
  }
}

/** The value as it is on the wire. */
const json = (value: unknown): Json => JSON.parse(JSON.stringify(value ?? null))

const asObject = (value: unknown) => {
  const read = json(value)
  return isObject(read) ? read : {}
}
