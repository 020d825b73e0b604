/** The place of one server for one root: started, watched, started again after a crash, and asked. */
import * as RestartBackoff from "@signalbox/process/RestartBackoff"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Latch from "effect/Latch"
import * as Random from "effect/Random"
import * as Scope from "effect/Scope"
import type { Document } from "../documents/Document.ts"
import type { Asking } from "../features/Session.ts"
import { LanguageServerError } from "../LanguageServerError.ts"
import { secondsOf } from "../running/Connection.ts"
import type { Said } from "../running/Incoming.ts"
import * as RunningServer from "../running/RunningServer.ts"
import type { Phase, ServerState } from "./ServerState.ts"

export interface Options extends Omit<RunningServer.Options, "onChange" | "onSaid" | "onMalformed"> {
  readonly onState: (state: ServerState) => void
  /** Its program has ended: what it has published counts no more. */
  readonly onEnd: () => void
  /** Why a run of it does not hear of all that changes on the disk. */
  readonly unheard: (run: RunningServer.RunningServer) => string | undefined
  readonly onSaid?: ((server: string, root: string, said: Said) => void) | undefined
  /** Whether the server is for this document. */
  readonly covers: (document: Document) => boolean
}

export interface Slot {
  readonly id: string
  readonly root: string
  /** Whether the server is for this document. */
  readonly covers: (document: Document) => boolean
  readonly state: () => ServerState
  /** Shows its state anew: something of it that is not its own has changed. */
  readonly show: () => void
  /** The program that runs now, whether it is ready or not. */
  readonly running: () => RunningServer.RunningServer | undefined
  /** Completes when it is ready. Says what it waits for if that takes too long. */
  readonly ready: Effect.Effect<RunningServer.RunningServer, LanguageServerError>
  /** Asks, and once again if the program ends meanwhile, or was still reading its project when it answered. */
  readonly ask: Asking
  /** Somebody edits a document that it has. That counts as use. */
  readonly touch: () => void
  /** Milliseconds since 1970. Infinity while a question is open. */
  readonly usedAt: () => number
  /** Ends it for good. */
  readonly end: Effect.Effect<void>
}

/** Most messages for people that are kept. */
const mostMessages = 20

/** Whether to ask again, since the program has ended. Such questions have no effect. */
const isAskedAgain = ({ reason }: LanguageServerError): boolean => reason === "Ended"

/** Starts the server in the background. It ends with the scope. */
export const make = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<Slot, never, Scope.Scope> {
  const { definition, documents, limits, root } = options
  const { id, name } = definition
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const scope = yield* Scope.fork(yield* Effect.scope)

  /** Opened at each change that a waiting question must look at. */
  let changed = Latch.makeUnsafe(false)
  /** Opened by a question to a server that was given up, and closed by who starts it then. */
  const wanted = Latch.makeUnsafe(false)
  let phase: Phase = "starting"
  let since = now()
  let restarts = 0
  let problem: string | undefined
  let failure: LanguageServerError | undefined
  let retryAt = 0
  let run: RunningServer.RunningServer | undefined
  let history: ReadonlyArray<RestartBackoff.Run> = []
  let open = 0
  let lastUse = now()
  let malformed = 0
  let malformedSample: string | undefined
  let messages: ReadonlyArray<string> = []

  const state = (): ServerState => {
    const progress = run?.readiness.words()
    const unheard = run && options.unheard(run)
    return {
      id,
      name,
      root,
      phase,
      since,
      restarts,
      documents: run?.documents.count() ?? 0,
      malformed,
      messages,
      ...(run?.pid !== undefined && { pid: run.pid }),
      ...(problem !== undefined && { problem }),
      ...(progress !== undefined && { progress }),
      ...(run?.about !== undefined && { about: run.about }),
      ...(unheard !== undefined && { unheard }),
      ...(malformedSample !== undefined && { malformedSample })
    }
  }

  const show = () => {
    options.onState(state())
    const before = changed
    changed = Latch.makeUnsafe(false)
    before.openUnsafe()
  }

  const go = (to: Phase) => {
    if (phase !== to) {
      phase = to
      since = now()
    }
    show()
  }

  /** Between loading and ready, as the server reports it. */
  const onChange = () => {
    if (run === undefined) return show()
    go(run.readiness.isReady() ? "ready" : "loading")
  }

  /** Gives a new program what editors have open. */
  const reopen = (started: RunningServer.RunningServer) =>
    Effect.forEach(
      documents.ofEditors().filter((document) => options.covers(document)),
      (document) => started.bring(document, true),
      { discard: true }
    )

  const oneRun = Effect.scoped(
    Effect.gen(function* () {
      const started = yield* RunningServer.start({
        ...options,
        onChange,
        onSaid: (said) => {
          if (said.channel === "message") {
            messages = [...messages, `${said.kind}: ${said.text}`].slice(-mostMessages)
            show()
          }
          options.onSaid?.(id, root, said)
        },
        onMalformed: (method, count, sample) => {
          malformed += count
          malformedSample = `${method} ${sample}`.slice(0, 300)
          show()
        }
      })
      run = started
      yield* reopen(started)
      failure = undefined
      onChange()
      return yield* started.ended
    })
  ).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        run = undefined
        options.onEnd()
      })
    )
  )

  const untilWanted = Effect.map(wanted.await, () => wanted.closeUnsafe())

  const supervised = Effect.gen(function* () {
    for (;;) {
      const startedAt = now()
      go("starting")
      const exit = yield* Effect.exit(oneRun)
      const endedAt = now()
      const failed = Exit.isFailure(exit) ? Exit.findErrorOption(exit) : undefined
      if (failed?._tag === "Some") {
        failure = failed.value
        problem = failure.message
      } else if (Exit.isSuccess(exit)) problem = `${name} ended. ${exit.value}`
      history = RestartBackoff.keep([...history, { startedAt, endedAt }], endedAt)
      const decision = RestartBackoff.next(history, endedAt, yield* Random.next)
      if (failure?.reason === "NotFound") {
        retryAt = endedAt
        go("given-up")
        yield* untilWanted
      } else if (decision.givenUp) {
        problem = `${problem ?? name} It ended ${decision.tries} times in a short time, so it is not started by itself any more. Mend its cause, and ask again in ${Math.ceil((decision.retryAt - endedAt) / 1000)} s.`
        failure = new LanguageServerError({ reason: "GivenUp", server: id, message: problem })
        retryAt = decision.retryAt
        go("given-up")
        yield* untilWanted
        history = []
      } else {
        restarts += 1
        go("restarting")
        yield* Effect.sleep(Duration.millis(decision.delayMs))
      }
    }
  })

  const waitingWords = () => {
    const words = run?.readiness.words()
    if (phase === "loading")
      return `It still reads its project${words === undefined ? "" : `: ${words}`}. Ask again soon.`
    if (phase === "restarting") return `It is about to be started again. ${problem ?? ""}`
    return `Its program has not answered yet. ${problem === undefined ? "" : `Before that: ${problem} `}Ask again soon.`
  }

  const readyNow = () => (phase === "ready" && run !== undefined && !run.isOver() ? run : undefined)

  const untilReady: Slot["ready"] = Effect.gen(function* () {
    // A question that comes after the end of all tries starts one more: its cause may be mended.
    let mayTry = phase === "given-up"
    for (;;) {
      const started = readyNow()
      if (started !== undefined) return started
      if (phase === "ended")
        return yield* new LanguageServerError({ reason: "Ended", server: id, message: `${name} was ended. Ask again.` })
      if (phase === "given-up" && failure !== undefined) {
        if (!mayTry || now() < retryAt) return yield* failure
        mayTry = false
        go("starting")
        wanted.openUnsafe()
        continue
      }
      yield* changed.await
    }
  }).pipe(
    Effect.timeoutOrElse({
      duration: limits.ready,
      orElse: () =>
        Effect.fail(
          new LanguageServerError({
            reason: "NotReady",
            server: id,
            message: `${name} is not ready after ${secondsOf(limits.ready)}. ${waitingWords()}`
          })
        )
    })
  )

  const ready = Effect.suspend(() => {
    const started = readyNow()
    return started === undefined ? untilReady : Effect.succeed(started)
  })

  const used = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      open += 1
      return Effect.ensuring(
        effect,
        Effect.sync(() => {
          open -= 1
          lastUse = now()
        })
      )
    })

  const slot: Slot = {
    id,
    root,
    covers: options.covers,
    state,
    show,
    running: () => run,
    ready: used(ready),
    ask: (question, options) => {
      const ask = Effect.flatMap(ready, ({ session, turns }) => {
        const asked = Effect.suspend(() => question(session))
        return options?.alone === true ? turns.alone(asked) : turns.beside(asked)
      })
      if (options?.once === true) return used(ask)
      const settled = Effect.flatMap(ask, (answer) =>
        // A server that began to read its project meanwhile may have answered from a part of it.
        phase === "loading" ? Effect.orElseSucceed(ask, () => answer) : Effect.succeed(answer)
      )
      return used(Effect.catchIf(settled, isAskedAgain, () => ask))
    },
    touch: () => {
      lastUse = now()
    },
    usedAt: () => (open > 0 ? Infinity : lastUse),
    end: Effect.suspend(() => {
      go("ended")
      return Scope.close(scope, Exit.void)
    })
  }
  yield* Effect.forkIn(supervised, scope)
  return slot
})
