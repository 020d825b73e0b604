/** Opens each new session once: before its first prompt, or by a turn of its own. While that turn lasts, prompts of the client wait. */
import type { Neighbour } from "@signalbox/acp/AcpProxy"
import type { PromptRequest, PromptResponse } from "@signalbox/acp/AcpSchema"
import type { RpcError } from "@signalbox/acp/JsonRpc"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Struct from "effect/Struct"
import type { Way } from "./Settings.ts"

export interface Options {
  readonly agent: Pick<Neighbour, "request" | "notify">
  readonly way: Way
  /** The time limit of the turn, in seconds. */
  readonly seconds: number
  readonly log: (line: string) => void
  readonly scope: Scope.Scope
}

export interface Opening {
  /** Opens a session that has begun, with this text. */
  readonly begin: (sessionId: string, text: string) => Effect.Effect<void>
  /** Passes a prompt of the client on when it is its time. */
  readonly prompt: (
    request: PromptRequest,
    forward: (request?: PromptRequest) => Effect.Effect<PromptResponse, RpcError>
  ) => Effect.Effect<PromptResponse, RpcError>
  /** Ends the waiting of prompts: the client has cancelled the session. */
  readonly cancel: (sessionId: string) => void
  /** Forgets a session that is closed. */
  readonly forget: (sessionId: string) => void
}

/** How long the agent may take to end a turn that was cancelled. */
const grace = "5 seconds"

/** A session in which the turn that opens it runs. */
interface Held {
  readonly over: Deferred.Deferred<void>
  /** Completes when the client cancels: what waits is then answered, and not sent. */
  cancelled: Deferred.Deferred<void>
}

/** Whether a prompt is a command of the agent, which agents know by its first character. */
const isCommand = ({ prompt: [first] }: PromptRequest): boolean =>
  first?.type === "text" && first.text.trimStart().startsWith("/")

export const make = ({ agent, log, scope, seconds, way }: Options): Opening => {
  /** Texts for first prompts, by session. */
  const texts = new Map<string, string>()
  const held = new Map<string, Held>()

  const turn = Effect.fnUntraced(
    function* (sessionId: string, text: string) {
      const prompt = [{ type: "text", text }]
      const turned = yield* Effect.forkIn(agent.request("session/prompt", { sessionId, prompt }), scope)
      const ended = yield* Effect.timeoutOption(Fiber.join(turned), `${seconds} seconds`)
      if (Option.isSome(ended)) return
      log(`The turn that opens session ${sessionId} took longer than ${seconds} seconds, and was cancelled.`)
      yield* agent.notify("session/cancel", { sessionId })
      yield* Effect.timeoutOption(Fiber.join(turned), grace)
    },
    Effect.catch(({ message }) => Effect.sync(() => log(`The turn that opens a session failed: ${message}`)))
  )

  const begin: Opening["begin"] = (sessionId, text) => {
    if (way === "none") return Effect.void
    if (way === "prompt") return Effect.sync(() => void texts.set(sessionId, text))
    return Effect.suspend(() => {
      const one: Held = { over: Deferred.makeUnsafe(), cancelled: Deferred.makeUnsafe() }
      held.set(sessionId, one)
      return turn(sessionId, text).pipe(
        Effect.ensuring(
          Effect.suspend(() => {
            if (held.get(sessionId) === one) held.delete(sessionId)
            return Deferred.succeed(one.over, undefined)
          })
        ),
        // The client gets the answer to its own request first.
        (opened) => Effect.andThen(Effect.yieldNow, opened),
        Effect.forkIn(scope),
        Effect.asVoid
      )
    })
  }

  const prompt: Opening["prompt"] = (request, forward) =>
    Effect.suspend(() => {
      const { sessionId } = request
      const waiting = held.get(sessionId)
      if (waiting !== undefined)
        return Effect.raceFirst(
          Effect.as(Deferred.await(waiting.over), true),
          Effect.as(Deferred.await(waiting.cancelled), false)
        ).pipe(Effect.flatMap((goesOn) => (goesOn ? forward() : Effect.succeed({ stopReason: "cancelled" as const }))))
      const text = texts.get(sessionId)
      if (text === undefined || isCommand(request)) return forward()
      texts.delete(sessionId)
      return forward(Struct.assign(request, { prompt: [{ type: "text" as const, text }, ...request.prompt] }))
    })

  return {
    begin,
    prompt,
    cancel: (sessionId) => {
      const waiting = held.get(sessionId)
      if (waiting === undefined) return
      Deferred.doneUnsafe(waiting.cancelled, Effect.void)
      // Prompts that come behind the cancellation wait again.
      waiting.cancelled = Deferred.makeUnsafe()
    },
    forget: (sessionId) => {
      texts.delete(sessionId)
    }
  }
}
