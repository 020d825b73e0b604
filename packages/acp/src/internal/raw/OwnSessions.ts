/**
 * Sessions that a proxy opens in its agent for itself. What the agent says in them is heard here, and never passed on: not even what comes
 * before the answer that names a session, or after its end.
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import { ErrorCode, RpcError } from "../rpc/JsonRpc.ts"
import * as JsonText from "./JsonText.ts"
import type { Respond, Sent, Settled } from "./RawConnection.ts"
import * as RawMessage from "./RawMessage.ts"

/** Hears what the agent says in one session. Parameters are parsed JSON. */
export interface SessionListener {
  /** Answers a request. It is interrupted when the agent cancels it, and when the session is forgotten. */
  readonly request: (method: string, params: unknown) => Effect.Effect<unknown, RpcError>
  /** Hears a notification. What comes behind it waits until this returns. */
  readonly notification: (method: string, params: unknown) => void
  /** Hears of a session that began after whoever wanted it had given up: it is to be closed. */
  readonly abandoned: (session: OwnSession) => void
}

export interface OwnSession {
  readonly sessionId: string
  /** The agent's whole answer, as parsed JSON. */
  readonly answer: unknown
}

export interface OwnSessions {
  /** Opens a session by `session/new`. It is heard until the scope closes, and hidden for as long as the connection lives. */
  readonly open: (params: unknown, listener: SessionListener) => Effect.Effect<OwnSession, RpcError, Scope.Scope>
  /** Whether a session is, or was, one of the proxy's own. */
  readonly has: (sessionId: string) => boolean
  /** Notes the session that a request of the client names, and returns what notes the one in its answer. */
  readonly ofClient: (method: string, params: string | undefined) => ((settled: Settled) => void) | undefined
  /** Takes a request of the agent, or returns undefined where it is to be passed on. */
  readonly request: (said: RawMessage.Said, respond: Respond, passOn: () => () => void) => (() => void) | undefined
  /** Takes a notification of the agent, or returns false where it is to be passed on. */
  readonly notification: (said: RawMessage.Said, passOn: () => void) => boolean
}

/** What the connection does for these sessions. */
export interface Surroundings {
  readonly send: (method: string, params: string, settle: (settled: Settled) => void) => Sent
  /** Runs an effect in a fiber of the connection, and returns how to interrupt it. That is in the set until the effect has ended. */
  readonly run: (effect: Effect.Effect<void>, running: Set<() => void>) => () => void
}

/** A message of a session that nobody knows yet, while the answer that may name it is awaited. */
interface Held {
  readonly sessionId: string
  readonly hear: (session: Heard) => void
  readonly passOn: () => void
  readonly drop: () => void
}

/** A session that is, or was, the proxy's own. */
interface Heard {
  /** Undefined when the session is over. */
  listener: SessionListener | undefined
  /** Interrupts the requests that are being answered. */
  readonly running: Set<() => void>
}

/** More than this is dropped: no agent says so much before it has named a session. */
const mostHeld = 10_000

const openings: ReadonlySet<string> = new Set(["session/new", "session/load", "session/resume", "session/fork"])

/** The session that parameters or a result name, as JSON text. */
const sessionIn = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  const found = JsonText.members(text)?.get("sessionId")
  const id: unknown = found === undefined ? undefined : JSON.parse(found)
  return typeof id === "string" ? id : undefined
}

const parsed = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text))

const cancelled = { code: ErrorCode.RequestCancelled, message: "Request cancelled" }

export const make = ({ run, send }: Surroundings): OwnSessions => {
  const own = new Map<string, Heard>()
  const clients = new Set<string>()
  let held: Array<Held> = []
  let opening = 0

  const release = (isFor: (sessionId: string) => boolean, what: (message: Held) => void) => {
    const all = held
    held = all.filter(({ sessionId }) => !isFor(sessionId))
    for (const message of all) if (isFor(message.sessionId)) what(message)
  }

  const ofClient = (sessionId: string) => {
    clients.add(sessionId)
    release(
      (id) => id === sessionId,
      ({ passOn }) => passOn()
    )
  }

  /** The answer has come. What was held goes to its session. The rest is for the client, once no other session opens. */
  const answered = (sessionId: string | undefined, listener: SessionListener | undefined) => {
    opening -= 1
    if (sessionId !== undefined) {
      const heard: Heard = { listener, running: new Set() }
      own.set(sessionId, heard)
      release(
        (id) => id === sessionId,
        ({ hear }) => hear(heard)
      )
    }
    if (opening === 0)
      release(
        () => true,
        ({ passOn }) => passOn()
      )
  }

  const forget = (sessionId: string) => {
    const heard = own.get(sessionId)
    if (heard === undefined) return
    heard.listener = undefined
    for (const interrupt of heard.running) interrupt()
  }

  const begin = (params: unknown, listener: SessionListener) =>
    Effect.callback<OwnSession, RpcError>((resume) => {
      let isWanted = true
      opening += 1
      const sent = send("session/new", JSON.stringify(params), (settled) => {
        const text = "result" in settled ? settled.result : undefined
        const sessionId = sessionIn(text)
        answered(sessionId, isWanted ? listener : undefined)
        if (sessionId === undefined) return resume(Effect.fail(failureOf(settled)))
        const session = { sessionId, answer: parsed(text) }
        if (!isWanted) return listener.abandoned(session)
        resume(Effect.succeed(session))
      })
      return Effect.sync(() => {
        isWanted = false
        sent.cancel()
      })
    })

  const open: OwnSessions["open"] = (params, listener) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.tap(restore(begin(params, listener)), ({ sessionId }) =>
        Effect.addFinalizer(() => Effect.sync(() => forget(sessionId)))
      )
    )

  /** The session of a message that is not for the client, or may not be; undefined if it is for the client. */
  const concerned = (params: string | undefined): string | undefined => {
    if (opening === 0 && own.size === 0) return undefined
    const sessionId = sessionIn(params)
    if (sessionId === undefined || clients.has(sessionId)) return undefined
    return opening > 0 || own.has(sessionId) ? sessionId : undefined
  }

  return {
    open,
    has: (sessionId) => own.has(sessionId),
    ofClient: (method, params) => {
      if (!openings.has(method)) return undefined
      const named = sessionIn(params)
      if (named !== undefined) ofClient(named)
      return (answer) => {
        const began = "result" in answer ? sessionIn(answer.result) : undefined
        if (began !== undefined) ofClient(began)
      }
    },
    request: ({ method, params }, respond, passOn) => {
      const sessionId = concerned(params)
      if (sessionId === undefined) return undefined
      let cancel: (() => void) | undefined
      const hear = (session: Heard) => {
        cancel = run(answering(session.listener, method, params, respond), session.running)
        // It may have ended while the first step ran.
        if (session.listener === undefined) cancel()
      }
      const heard = own.get(sessionId)
      if (heard !== undefined) hear(heard)
      else {
        const message: Held = {
          sessionId,
          hear,
          passOn: () => (cancel = passOn()),
          drop: () => respond(RawMessage.failed(cancelled))
        }
        cancel = () => {
          held = held.filter((other) => other !== message)
          message.drop()
        }
        hold(message)
      }
      return () => cancel?.()
    },
    notification: ({ method, params }, passOn) => {
      const sessionId = concerned(params)
      if (sessionId === undefined) return false
      const hear = ({ listener }: Heard) => listener?.notification(method, parsed(params))
      const heard = own.get(sessionId)
      if (heard !== undefined) hear(heard)
      else hold({ sessionId, hear, passOn, drop: () => {} })
      return true
    }
  }

  function hold(message: Held): void {
    if (held.length < mostHeld) held.push(message)
    else message.drop()
  }
}

const failureOf = (answer: Settled): RpcError => {
  if ("closed" in answer) return RpcError.internal(answer.closed.message)
  const error = "error" in answer ? parsed(answer.error) : undefined
  const { code, data, message } = Predicate.isObject(error) ? error : {}
  return new RpcError({
    code: typeof code === "number" ? code : ErrorCode.InternalError,
    message: typeof message === "string" ? message : "The agent's answer names no session",
    ...(data === undefined ? {} : { data })
  })
}

const over = RpcError.invalidParams("The session is over")

const answering = (
  listener: SessionListener | undefined,
  method: string,
  params: string | undefined,
  respond: Respond
): Effect.Effect<void> =>
  Effect.suspend(() => (listener === undefined ? Effect.fail(over) : listener.request(method, parsed(params)))).pipe(
    Effect.match({
      onSuccess: (result) => respond({ result: JSON.stringify(result ?? null) }),
      onFailure: (error) => respond(RawMessage.failed(error))
    }),
    Effect.onInterrupt(() => Effect.sync(() => respond(RawMessage.failed(cancelled)))),
    // Code of the proxy's author threw: the agent still gets an answer.
    Effect.catchDefect((thrown) =>
      Effect.sync(() => respond(RawMessage.failed(RpcError.internal(`Internal error: ${String(thrown)}`))))
    )
  )
