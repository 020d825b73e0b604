/** A thread that an editor has open: what happens in it goes to the editor, and the editor's prompts and answers go to it. */
import type { AcpAgent } from "@signalbox/acp/AcpAgent"
import type * as Acp from "@signalbox/acp/AcpSchema"
import { RpcError } from "@signalbox/acp/JsonRpc"
import type { Watched } from "@signalbox/client/WatchedThread"
import * as WatchedThread from "@signalbox/client/WatchedThread"
import type { Receipt, ThreadCommand } from "@signalbox/contracts/Command"
import type { PromptPart } from "@signalbox/contracts/Content"
import { type RequestId, type ThreadId, TurnId } from "@signalbox/contracts/Ids"
import { sentencesOf } from "@signalbox/contracts/Problem"
import type { SettingValue } from "@signalbox/contracts/SessionSetting"
import type { OpenRequest, ThreadView } from "@signalbox/contracts/ThreadView"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { randomUUID } from "node:crypto"
import { errorOf, noThread } from "./AcpFailure.ts"
import * as EditorCalls from "./EditorCalls.ts"
import * as EditorRequests from "./EditorRequests.ts"
import * as History from "./History.ts"
import * as LostSession from "./LostSession.ts"
import * as PromptEnds from "./PromptEnds.ts"
import type { ServerLink } from "./ServerLink.ts"
import * as ThreadUpdates from "./ThreadUpdates.ts"

export interface Options {
  readonly agent: AcpAgent
  readonly link: ServerLink
  /** Whether the editor can show settings that are on or off. */
  readonly booleans: boolean
  /** Whether the editor has left. Turns go on then. */
  readonly hasLeft: () => boolean
  /** Says something to the person who uses the editor, and is no part of the conversation. */
  readonly report: (sessionId: string, text: string) => Effect.Effect<void>
}

export interface EditorSession {
  readonly view: () => ThreadView
  /** The state when it is as `find` wants it. */
  readonly until: <A>(find: (view: ThreadView) => A | undefined) => Effect.Effect<A>
  /** Sends all of the thread to the editor. What happens later follows by itself, after `goOn`. */
  readonly replay: Effect.Effect<void, RpcError>
  /** From now on the editor gets what happens. */
  readonly goOn: Effect.Effect<void>
  /** Completes when the turn has ended, and the editor has got all of it. */
  readonly prompt: (parts: readonly [PromptPart, ...Array<PromptPart>]) => Effect.Effect<Acp.PromptResponse, RpcError>
  /** Stops the turns that the editor waits for. If it waits for none, the turn that runs. */
  readonly stop: Effect.Effect<void>
  /** Stops the turns that the editor waits for. Those of others go on. */
  readonly leave: Effect.Effect<void>
  readonly choose: (settingId: string, value: SettingValue) => Effect.Effect<void, RpcError>
}

/** Opens a thread for as long as the scope lives. Fails if there is no such thread, or it can't be read. */
export const make = Effect.fn("EditorSession.make")(function* (
  threadId: ThreadId,
  { agent, booleans, hasLeft, link, report }: Options
): Effect.fn.Return<EditorSession, RpcError, Scope.Scope> {
  const scope = yield* Effect.scope
  let watched: Watched = { state: "loading" }
  const looking = new Set<() => void>()
  const held: WatchedThread.Held = {
    get: () => watched,
    set: (next) => {
      watched = next
      for (const look of looking) look()
    }
  }
  /** The first result of `find` that is not undefined, now or later. */
  const seen = <A>(find: (watched: Watched) => A | undefined): Effect.Effect<A> =>
    Effect.callback((resume) => {
      const look = () => {
        const found = find(watched)
        if (found === undefined) return
        looking.delete(look)
        resume(Effect.succeed(found))
      }
      looking.add(look)
      look()
      return Effect.sync(() => looking.delete(look))
    })

  yield* Effect.forkScoped(
    Effect.flatMap(Clock.Clock, (clock) =>
      WatchedThread.follow(threadId, held, { following: link.follow, now: () => clock.currentTimeMillisUnsafe() })
    )
  )
  const first = yield* seen((now) => (now.state === "loading" ? undefined : now))
  if (first.state === "missing") return yield* noThread(threadId)
  if (first.state === "unreadable") return yield* errorOf(first.problem)
  const start = first.view
  const { terminalOf } = yield* EditorCalls.make(threadId, { agent, link })

  const shown = ThreadUpdates.nothing()
  const ends = PromptEnds.make()
  const editor: ThreadUpdates.Editor = { booleans, hasSent: ends.has, terminalOf }
  const requests = yield* FiberMap.make<RequestId, void>()
  const asked = new Map<RequestId, string | undefined>()
  const inOrder = yield* Semaphore.make(1)

  yield* Effect.addFinalizer(() => ends.failAll(openedAgain))

  const send = (command: ThreadCommand): Effect.Effect<Receipt, RpcError> =>
    inOrder.withPermit(link.send(threadId, command)).pipe(
      Effect.catchTags({
        CommandRejected: ({ problem }) => Effect.fail(errorOf(problem)),
        OutOfScope: ({ message }) => Effect.fail(RpcError.internal(message))
      })
    )
  const tell = (text: string) => report(threadId, text)
  const update = (one: Acp.SessionUpdate) => Effect.ignore(agent.sendUpdate(threadId, one))

  /** Asks the editor for one request, until somebody answers it. */
  const asking = Effect.fnUntraced(function* (open: OpenRequest, view: ThreadView) {
    const onLate = tell("This answer came too late: the request had been answered elsewhere. It was ignored.")
    const response = yield* EditorRequests.ask(open, { agent, view, onLate }).pipe(
      Effect.catch(({ message }) => Effect.as(tell(`The editor did not answer a request: ${message}`), undefined))
    )
    const { requestId } = open.request
    if (response === undefined) return yield* tell(`A request waits for an answer on the page: ${link.url()}/`)
    yield* link.send(threadId, { type: "request.respond", requestId, response }).pipe(
      Effect.catchTags({
        CommandRejected: ({ problem }) => tell(`This answer was not taken. ${sentencesOf(problem)}`),
        OutOfScope: ({ message }) => tell(message)
      })
    )
  })

  /** Withdraws from the editor what was answered elsewhere, and asks what it was not asked yet. */
  const askAll = Effect.fnUntraced(function* (view: ThreadView) {
    const open = view.requests.filter(({ answered }) => !answered)
    for (const requestId of asked.keys()) {
      if (open.some(({ request }) => request.requestId === requestId)) continue
      asked.delete(requestId)
      yield* FiberMap.remove(requests, requestId)
    }
    for (const one of open) {
      const { requestId } = one.request
      const digest = one.request.type === "approval" ? one.request.digest : undefined
      if (asked.has(requestId) && asked.get(requestId) === digest) continue
      asked.set(requestId, digest)
      yield* FiberMap.run(requests, requestId, asking(one, view))
    }
  })

  /** Asks the person what becomes of a prompt after the agent has lost the session. */
  const choosing = Effect.fnUntraced(function* (turnId: TurnId, view: ThreadView) {
    const refusal = ends.refuse(turnId, PromptEnds.forgotten(view))
    const way = yield* LostSession.ask(agent, view).pipe(
      Effect.raceFirst(
        seen((now) => (now.state === "here" && now.view.forgotten !== "open" ? ("elsewhere" as const) : undefined))
      )
    )
    if (way === "elsewhere") return
    if (way === undefined) {
      yield* refusal
      return yield* Effect.ignore(send({ type: "turn.interrupt", turnId, ifQueued: true }))
    }
    const release = { type: "queue.hold" as const, held: false }
    yield* send(way === "transcript" ? { ...release, transcript: true } : release).pipe(
      Effect.catch((error) => Effect.andThen(ends.refuse(turnId, error), tell(error.message)))
    )
  })

  /** Brings the editor to the present state of the thread. */
  const bring = Effect.fnUntraced(function* (view: ThreadView) {
    for (const one of ThreadUpdates.since(shown, view, editor)) yield* update(one)
    yield* askAll(view)
    const { held, toChoose } = yield* ends.settle(view)
    for (const turnId of toChoose) yield* Effect.forkIn(choosing(turnId, view), scope)
    for (const turnId of held) yield* Effect.ignore(send({ type: "turn.interrupt", turnId, ifQueued: true }))
  })

  const live = Effect.gen(function* () {
    let last: ThreadView | undefined
    const isShown = (next: Watched) => next.state === "here" && next.view === last
    while (true) {
      const now = yield* seen((next) => (next.state === "loading" || isShown(next) ? undefined : next))
      if (now.state === "here") {
        last = now.view
        yield* bring(now.view)
        continue
      }
      yield* ends.failAll(now.state === "unreadable" ? errorOf(now.problem) : noThread(threadId))
      yield* tell("This thread was deleted, or can't be read any more.")
      return
    }
  })

  const view = (): ThreadView => WatchedThread.hereOf(watched)?.view ?? start
  const interrupt = (turnIds: ReadonlyArray<TurnId>) =>
    Effect.forEach(turnIds, (turnId) => Effect.ignore(send({ type: "turn.interrupt", turnId })), { discard: true })

  return {
    view,
    until: (find) => seen((now) => (now.state === "here" ? find(now.view) : undefined)),
    replay: Effect.gen(function* () {
      const now = view()
      yield* History.send(threadId, now, { link, update })
      for (const one of ThreadUpdates.since(shown, now, editor)) yield* update(one)
    }),
    goOn: Effect.suspend(() => {
      if (shown.head === undefined) ThreadUpdates.know(shown, view())
      return Effect.asVoid(Effect.forkIn(live, scope))
    }),
    prompt: Effect.fnUntraced(function* (parts) {
      const now = view()
      const turnId = TurnId.make(randomUUID())
      // Prompts that are held stay held. This one is meant now.
      const past = now.held === true && ThreadProjection.runningTurn(now) === undefined
      const ended = yield* ends.begin(turnId)
      yield* send({ type: "turn.start", turnId, prompt: parts, ...(past && { steer: true }) }).pipe(
        Effect.tapError(() => Effect.sync(() => ends.forget(turnId)))
      )
      return yield* Effect.onInterrupt(ended, () => (hasLeft() ? Effect.void : interrupt([turnId])))
    }),
    stop: Effect.suspend(() => {
      const mine = ends.open()
      const running = ThreadProjection.runningTurn(view())
      return interrupt(mine.length > 0 || running === undefined ? mine : [running.turnId])
    }),
    leave: Effect.suspend(() => Effect.andThen(interrupt(ends.open()), ends.stopAll)),
    choose: Effect.fnUntraced(function* (settingId, value) {
      const before = view()
      const { sequence } = yield* send({ type: "setting.set", settingId, value })
      const failure = yield* seen((now) => {
        if (now.state !== "here" || now.view.sequence < sequence) return undefined
        const { desired, items, session, settings } = now.view
        // Nobody is there to take it. The agent gets it when it is started again.
        if (session.state !== "ready") return { problem: undefined }
        if (desired[settingId] !== value) {
          const entry = items.findLast(({ itemId, type }) => type === "problem" && itemId.startsWith("setting:"))
          return { problem: entry?.type === "problem" ? entry.problem : undefined }
        }
        const isSet = settings.some((one) => one.id === settingId && one.type !== "unknown" && one.value === value)
        return isSet || settings !== before.settings ? { problem: undefined } : undefined
      })
      if (failure.problem !== undefined) return yield* errorOf(failure.problem)
    })
  }
})

const openedAgain = RpcError.internal(
  "The session was opened again. The turn goes on, and its end is reported there by its updates only"
)
