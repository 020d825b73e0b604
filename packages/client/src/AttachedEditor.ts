/** An editor that is attached to a thread: takes what the agent of the thread asks of it, and answers. */
import {
  type EditorAnswer,
  type EditorCall,
  type EditorCallId,
  type EditorFrame,
  type EditorOffers,
  mostAnswerBytes
} from "@signalbox/contracts/EditorCall"
import type { ThreadId } from "@signalbox/contracts/Ids"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Follow } from "./Following.ts"
import type { once } from "./Once.ts"

/** The calls of the server that an editor makes. */
export interface EditorClient {
  readonly watchEditorCalls: (editor: {
    readonly threadId: ThreadId
    readonly name: string
    readonly offers: EditorOffers
  }) => Stream.Stream<EditorFrame, unknown>
  readonly answerEditorCall: (answer: {
    readonly threadId: ThreadId
    readonly callId: EditorCallId
    readonly answer: EditorAnswer
  }) => Effect.Effect<{ readonly wasOpen: boolean }, unknown>
}

export interface Options {
  readonly threadId: ThreadId
  /** The editor's name for people. */
  readonly name: string
  readonly offers: EditorOffers
  readonly link: {
    /** Without a pause between two batches: an agent waits for each answer. */
    readonly follow: Follow<EditorClient>
    readonly once: ReturnType<typeof once<EditorClient>>
  }
  /** Does what is asked. Interrupted if the call is withdrawn. Undefined: nobody is left to answer. */
  readonly carryOut: (call: EditorCall) => Effect.Effect<EditorAnswer | undefined>
  /** Undoes what was done for an answer that nobody has heard. */
  readonly unheard: (call: EditorCall, answer: EditorAnswer) => Effect.Effect<void>
  /** Ends all that the server no longer knows of, e.g. programs. Calls that still run are interrupted before. */
  readonly letGo: Effect.Effect<void>
}

export interface AttachedEditor {
  /** Completes when the server has noted the editor for the first time. */
  readonly attached: Effect.Effect<void>
  /** Completes if the server has no such thread any more. */
  readonly over: Effect.Effect<void>
}

/** `left`: the stream has ended, e.g. with its connection. */
type Step = EditorFrame | { readonly type: "left" }

/** Attaches the editor, on each new connection again. Closing the scope lets go of everything. */
export const make = Effect.fnUntraced(function* ({
  carryOut,
  letGo,
  link,
  name,
  offers,
  threadId,
  unheard
}: Options): Effect.fn.Return<AttachedEditor, never, Scope.Scope> {
  const attached = Deferred.makeUnsafe<void>()
  const over = Deferred.makeUnsafe<void>()
  const calls = yield* FiberMap.make<EditorCallId, void>()
  const letAllGo = Effect.andThen(FiberMap.clear(calls), letGo)
  yield* Effect.addFinalizer(() => letAllGo)

  const serve = (call: EditorCall) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const made = yield* restore(carryOut(call))
        if (made === undefined) return
        // A call that is withdrawn now learns here that nobody hears its answer.
        const answer = fitting(made)
        const { wasOpen } = yield* link
          .once((client) => client.answerEditorCall({ threadId, callId: call.callId, answer }))
          .pipe(Effect.orElseSucceed(() => ({ wasOpen: false })))
        if (!wasOpen) yield* unheard(call, made)
      })
    )

  const take = (step: Step): Effect.Effect<void> => {
    switch (step.type) {
      case "attached":
        // Also here: a call of the connection before may have come behind its end.
        return Effect.andThen(letAllGo, Deferred.succeed(attached, undefined))
      case "call":
        return Effect.asVoid(FiberMap.run(calls, step.callId, serve(step)))
      case "withdrawn":
        return FiberMap.remove(calls, step.callId)
      case "left":
        return letAllGo
    }
  }

  const steps = yield* Queue.unbounded<Step>()
  yield* Effect.forkScoped(Effect.forever(Effect.flatMap(Queue.take(steps), take)))
  const left = Effect.sync(() => void Queue.offerUnsafe(steps, { type: "left" }))
  yield* link
    .follow(
      (client) => Stream.ensuring(client.watchEditorCalls({ threadId, name, offers }), left),
      (batch) => void Queue.offerAllUnsafe(steps, batch)
    )
    .pipe(Effect.ignore, Effect.andThen(Deferred.succeed(over, undefined)), Effect.forkScoped)
  return { attached: Deferred.await(attached), over: Deferred.await(over) }
})

/** An answer of the editor that can't be passed on, as an error. */
export const unreadable = (message: string): EditorAnswer => ({ type: "error", code: internalError, message })

/** The code of JSON-RPC. */
const internalError = -32_603

const fitting = (answer: EditorAnswer): EditorAnswer =>
  fits(JSON.stringify(answer))
    ? answer
    : unreadable(`The editor's answer is longer than ${mostAnswerBytes / 1024 / 1024} MiB`)

const fits = (text: string): boolean => {
  if (text.length * 3 <= mostAnswerBytes) return true
  let bytes = 0
  // Each half of a pair counts two of the four bytes in UTF-8.
  for (let at = 0; at < text.length && bytes <= mostAnswerBytes; at++) {
    const unit = text.charCodeAt(at)
    bytes += unit < 0x80 ? 1 : unit < 0x8_00 || (unit >= 0xd8_00 && unit < 0xe0_00) ? 2 : 3
  }
  return bytes <= mostAnswerBytes
}
