/**
 * A `ProviderService` that keeps the provider contract without any process: sessions, one turn at a time, requests that are
 * answered once. What the agent does is said by the prompt, word by word of a small language:
 *
 * `say TEXT` streams TEXT letter by letter · `flood N` streams N pieces in
 * chunks, `trickle N` one by one · `ask` wants a permission · `question` asks something ·
 * `hang` works until it is stopped · `crash` ends the process · `refuse` refuses · `silent` comes back without ever ending
 * the turn. Several are parted by `;`.
 */
import type { RequestOutcome, RequestResponse } from "@signalbox/contracts/AgentRequest"
import { promptText } from "@signalbox/contracts/Content"
import {
  EventId,
  ItemId,
  ProviderSessionId,
  RequestId,
  ResumeToken,
  type ThreadId,
  type TurnId
} from "@signalbox/contracts/Ids"
import { ProviderId, type ProviderCapabilities, type ProviderRef } from "@signalbox/contracts/Provider"
import type { ProviderRuntimeEvent, TurnOutcome } from "@signalbox/contracts/ProviderRuntimeEvent"
import type { SessionSetting } from "@signalbox/contracts/SessionSetting"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { randomUUID } from "node:crypto"
import { ProviderCatalog } from "../../src/provider/Services/ProviderCatalog.ts"
import type { ProviderAdapter, ProviderSession, StartSession } from "../../src/provider/Services/ProviderAdapter.ts"
import { type ProviderError, providerError } from "../../src/base/ProviderError.ts"
import { ProviderService } from "../../src/provider/Services/ProviderService.ts"

export const fake: ProviderRef = { id: ProviderId.make("fake"), kind: "acp", name: "Fake", simulated: true }

const capabilities: ProviderCapabilities = {
  rollback: { supported: false, reason: "Fake never forgets." },
  resume: true,
  images: false
}

interface Session {
  readonly session: ProviderSession
  settings: ReadonlyArray<SessionSetting>
  turn: TurnId | undefined
  readonly gone: Deferred.Deferred<void>
  /** Stop was pressed on the running turn; the running turn has ended. */
  interrupted: Deferred.Deferred<void>
  over: Deferred.Deferred<void>
  readonly requests: Map<RequestId, OpenRequest>
}

export interface Steering {
  readonly answer: (text: string) => Effect.Effect<"taken" | "not-taken", ProviderError>
  readonly taken: Array<{ readonly turnId: TurnId; readonly into: TurnId; readonly text: string }>
}

interface OpenRequest {
  readonly kind: "approval" | "question"
  readonly turnId: TurnId
  readonly resolved: Deferred.Deferred<void>
}

type Body<Event> = Event extends ProviderRuntimeEvent
  ? Omit<Event, "eventId" | "providerKind" | "providerSessionId" | "threadId" | "at">
  : never

export const make = Effect.gen(function* () {
  const events = yield* Queue.unbounded<ProviderRuntimeEvent>()
  const sessions = new Map<ThreadId, Session>()
  const answers = new Map<RequestId, RequestResponse>()
  /** What was asked of it, in order. */
  const starts: Array<StartSession> = []
  const prompts: Array<{ readonly threadId: ThreadId; readonly turnId: TurnId; readonly text: string }> = []
  /** Threads whose start waits until the latch opens, and those whose start fails. */
  const startGates = new Map<ThreadId, Latch.Latch>()
  const brokenStarts = new Set<ThreadId>()
  /** Threads whose agent ends as soon as it has started. */
  const doomed = new Set<ThreadId>()
  /** Threads whose agent knows nothing of an earlier session. */
  const forgetful = new Set<ThreadId>()
  /** Threads whose agent dies, unnoticed, in the moment before the next prompt. */
  const loseAtNextPrompt = new Set<ThreadId>()
  /** Threads whose agent is said to take prompts into its turn: what it says to one, and what it took. */
  const steering = new Map<ThreadId, Steering>()
  /** How many messages were begun in each turn. */
  const messages = new Map<TurnId, number>()
  /** Turns that `sendTurn` came back from. */
  const returned = new Set<TurnId>()
  /** Called when a prompt arrives, before anything is done with it, and when an agent is to be started. */
  const hooks: { prompted: () => void; starting: () => Effect.Effect<void> } = {
    prompted: () => undefined,
    starting: () => Effect.void
  }
  /** Ids are never used again, also not by the provider of a later server. */
  const life = randomUUID()
  let vanished = false
  let count = 0

  const emitAll = Effect.fnUntraced(function* (to: ProviderSession, bodies: ReadonlyArray<Body<ProviderRuntimeEvent>>) {
    if (vanished) return
    const at = yield* Clock.currentTimeMillis
    const { provider, providerSessionId, threadId } = to
    yield* Queue.offerAll(
      events,
      bodies.map((body): ProviderRuntimeEvent => {
        const common = { providerKind: provider.kind, providerSessionId, threadId, at }
        return { ...body, ...common, eventId: EventId.make(`${providerSessionId}:${life}:${++count}`) }
      })
    )
  })

  const find = Effect.fnUntraced(function* (threadId: ThreadId) {
    const session = sessions.get(threadId)
    if (session) return session
    return yield* providerError("session-not-found", "Fake is not running.", "This thread has no session.")
  })

  const startSession: ProviderAdapter["startSession"] = Effect.fnUntraced(function* (input) {
    const { provider, threadId } = input
    const running = sessions.get(threadId)
    if (running) return running.session
    const isFirst = !starts.some((start) => start.threadId === threadId)
    starts.push(input)
    yield* startGates.get(threadId)?.await ?? Effect.void
    yield* hooks.starting()
    if (brokenStarts.has(threadId)) {
      return yield* providerError("agent-start-failed", "Fake can't be started.", "It was told not to.")
    }
    const session: ProviderSession = {
      providerSessionId: ProviderSessionId.make(`session-${life}-${threadId}-${starts.length}`),
      threadId,
      provider,
      resumeToken: ResumeToken.make(`token-${threadId}`),
      origin: forgetful.has(threadId) && !isFirst ? "replaced" : input.knownPrompts.length > 0 ? "resumed" : "new"
    }
    const settings: ReadonlyArray<SessionSetting> = [
      { type: "boolean", id: "fast", name: "Fast", value: input.settings.fast === true },
      {
        type: "select",
        id: "mode",
        name: "Mode",
        value: String(input.settings.mode ?? "agent"),
        groups: [{ choices: ["agent", "plan", "stubborn", "deaf"].map((value) => ({ value, name: value })) }]
      }
    ]
    const started: Session = {
      session,
      settings,
      turn: undefined,
      gone: yield* Deferred.make<void>(),
      interrupted: yield* Deferred.make<void>(),
      over: yield* Deferred.make<void>(),
      requests: new Map()
    }
    sessions.set(threadId, started)
    const { origin, resumeToken } = session
    yield* emitAll(session, [
      {
        type: "session.started",
        origin,
        resumeToken,
        capabilities: steering.has(threadId) ? { ...capabilities, steering: "agent" } : capabilities
      },
      { type: "settings.updated", settings }
    ])
    if (doomed.has(threadId)) yield* exit(started, false)
    return session
  })

  const exit = Effect.fnUntraced(function* (running: Session, expected: boolean) {
    if (sessions.get(running.session.threadId) !== running) return
    sessions.delete(running.session.threadId)
    yield* resolveAll(running, { type: "expired", reason: "The agent ended." })
    if (running.turn) yield* finish(running, running.turn, expected ? "cancelled" : "failed")
    yield* emitAll(running.session, [{ type: "session.exited", expected }])
    yield* Deferred.succeed(running.gone, undefined)
  })

  const resolve = Effect.fnUntraced(function* (running: Session, requestId: RequestId, outcome: RequestOutcome) {
    const open = running.requests.get(requestId)
    if (open === undefined) return
    running.requests.delete(requestId)
    const type = open.kind === "approval" ? "approval.resolved" : "question.resolved"
    yield* emitAll(running.session, [{ type, turnId: open.turnId, requestId, outcome }])
    yield* Deferred.succeed(open.resolved, undefined)
  })

  const resolveAll = (running: Session, outcome: RequestOutcome) =>
    Effect.forEach([...running.requests.keys()], (requestId) => resolve(running, requestId, outcome), { discard: true })

  const finish = (running: Session, turnId: TurnId, outcome: TurnOutcome) =>
    Effect.suspend(() => {
      running.turn = undefined
      return Effect.andThen(
        emitAll(running.session, [{ type: "turn.completed", turnId, outcome }]),
        Deferred.succeed(running.over, undefined)
      )
    })

  const ask = Effect.fnUntraced(function* (running: Session, turnId: TurnId, kind: "approval" | "question") {
    const requestId = RequestId.make(`request-${life}-${++count}`)
    const resolved = yield* Deferred.make<void>()
    running.requests.set(requestId, { kind, turnId, resolved })
    const at = yield* Clock.currentTimeMillis
    const options = [
      { optionId: "proceed_once", name: "Proceed", kind: "allow_once" },
      { optionId: "refuse", name: "Refuse", kind: "reject_once" }
    ]
    yield* emitAll(running.session, [
      kind === "approval"
        ? { type: "approval.requested", turnId, request: { type: "approval", requestId, tool: tool(at), options, at } }
        : {
            type: "question.requested",
            turnId,
            request: {
              type: "question",
              requestId,
              questions: [{ id: "q", prompt: "Which?", options: [{ id: "a", label: "A" }], allowMultiple: false }],
              at
            }
          }
    ])
    yield* Deferred.await(resolved)
  })

  /** Streams pieces of text, `size` to a chunk. */
  const stream = Effect.fnUntraced(function* (
    running: Session,
    turnId: TurnId,
    pieces: ReadonlyArray<string>,
    size = 100
  ) {
    const message = (messages.get(turnId) ?? 0) + 1
    messages.set(turnId, message)
    const itemId = ItemId.make(message === 1 ? `${turnId}:assistant` : `${turnId}:assistant:${message}`)
    let offset = 0
    for (let start = 0; start < pieces.length; start += size) {
      const chunk = pieces.slice(start, start + size).map((text): Body<ProviderRuntimeEvent> => {
        const at = offset
        offset += text.length
        return { type: "message.delta", turnId, itemId, offset: at, text }
      })
      yield* emitAll(running.session, chunk)
      yield* Effect.yieldNow
    }
    yield* emitAll(running.session, [{ type: "message.completed", turnId, itemId, length: offset }])
  })

  /** Does one word of the prompt; says how the turn ended, if it did. */
  const perform = Effect.fnUntraced(function* (running: Session, turnId: TurnId, step: string) {
    const [word = "", ...rest] = step.trim().split(" ")
    const argument = rest.join(" ")
    if (word === "say") yield* stream(running, turnId, argument.split(""))
    else if (word === "trickle") yield* stream(running, turnId, numbers(Number(argument)), 1)
    else if (word === "flood") yield* stream(running, turnId, numbers(Number(argument)))
    else if (word === "ask") yield* ask(running, turnId, "approval")
    else if (word === "question") yield* ask(running, turnId, "question")
    else if (word === "hang") {
      yield* emitAll(running.session, [{ type: "plan.updated", turnId, entries: [] }])
      yield* Deferred.await(running.interrupted)
    } else if (word === "crash") yield* exit(running, false)
    else if (word === "refuse") yield* finish(running, turnId, "refused")
    else if (word === "silent") running.turn = undefined
  })

  const performTurn: ProviderAdapter["sendTurn"] = Effect.fnUntraced(function* (threadId, { prompt, turnId }) {
    if (loseAtNextPrompt.delete(threadId)) sessions.delete(threadId)
    const running = yield* find(threadId)
    if (running.turn)
      return yield* providerError("turn-in-flight", "Fake is at work.", "It takes one prompt at a time.")
    running.turn = turnId
    running.interrupted = yield* Deferred.make<void>()
    running.over = yield* Deferred.make<void>()
    const text = promptText(prompt)
    hooks.prompted()
    prompts.push({ threadId, turnId, text })
    yield* emitAll(running.session, [{ type: "turn.started", turnId }])
    for (const step of text.split(";")) {
      if (running.turn !== turnId || (yield* Deferred.isDone(running.interrupted))) break
      yield* Effect.raceFirst(perform(running, turnId, step), Deferred.await(running.gone))
    }
    if (running.turn !== turnId) return
    yield* finish(running, turnId, (yield* Deferred.isDone(running.interrupted)) ? "cancelled" : "completed")
  })

  const sendTurn: ProviderAdapter["sendTurn"] = (threadId, turn) =>
    Effect.tap(performTurn(threadId, turn), () => Effect.sync(() => returned.add(turn.turnId)))

  const steer: ProviderAdapter["steer"] = Effect.fnUntraced(function* (threadId, { into, prompt, turnId }) {
    const how = steering.get(threadId)
    const running = yield* find(threadId)
    if (how === undefined || running.turn !== into) return "not-taken"
    const text = promptText(prompt)
    const answer = yield* how.answer(text)
    if (answer === "taken") how.taken.push({ turnId, into, text })
    return answer
  })

  const interruptTurn: ProviderAdapter["interruptTurn"] = Effect.fnUntraced(function* (threadId, turnId) {
    const running = yield* find(threadId)
    if (running.turn !== turnId) return
    yield* Deferred.succeed(running.interrupted, undefined)
    yield* resolveAll(running, { type: "cancelled" })
    yield* Deferred.await(running.over)
  })

  const respondToRequest: ProviderAdapter["respondToRequest"] = Effect.fnUntraced(
    function* (threadId, requestId, response) {
      const running = yield* find(threadId)
      const before = answers.get(requestId)
      if (before && JSON.stringify(before) === JSON.stringify(response)) return
      if (before || !running.requests.has(requestId))
        return yield* providerError("request-closed", "This request is closed.", "It has an end.")
      answers.set(requestId, response)
      yield* resolve(running, requestId, { type: "answered", response })
    }
  )

  const setSetting: ProviderAdapter["setSetting"] = Effect.fnUntraced(function* (threadId, settingId, value) {
    const running = yield* find(threadId)
    if (value === "stubborn") return yield* providerError("setting-rejected", "Fake won't.", "It is stubborn.")
    if (value === "deaf") return yield* Effect.never
    running.settings = running.settings.map((setting): SessionSetting => {
      if (setting.id !== settingId) return setting
      if (setting.type === "boolean") return { ...setting, value: value === true }
      return setting.type === "select" ? { ...setting, value: String(value) } : setting
    })
    yield* emitAll(running.session, [{ type: "settings.updated", settings: running.settings }])
  })

  const stopSession = Effect.fnUntraced(function* (threadId: ThreadId) {
    const running = sessions.get(threadId)
    if (running) yield* exit(running, true)
  })

  const adapter: ProviderAdapter = {
    kind: "acp",
    capabilities,
    startSession,
    sendTurn,
    steer,
    interruptTurn,
    respondToRequest,
    setSetting,
    setProfile: (threadId) => Effect.asVoid(find(threadId)),
    readThread: (threadId) => Effect.as(find(threadId), { items: [], turns: [] }),
    rollbackThread: () => Effect.fail(providerError("unsupported", "Fake can't go back.", "It never forgets.")),
    changeSession: (threadId) => Effect.as(find(threadId), {}),
    stopSession,
    listSessions: Effect.sync(() => (vanished ? [] : [...sessions.values()].map(({ session }) => session))),
    hasSession: (threadId) => Effect.sync(() => sessions.has(threadId)),
    health: Effect.succeed([]),
    stopAll: Effect.suspend(() =>
      vanished ? Effect.void : Effect.forEach([...sessions.keys()], stopSession, { discard: true })
    ),
    streamEvents: Stream.fromQueue(events)
  }

  const layer = Layer.merge(
    Layer.succeed(ProviderService, ProviderService.of({ ...adapter, adapterOf: () => adapter })),
    Layer.succeed(
      ProviderCatalog,
      ProviderCatalog.of({
        get: (id) =>
          id === fake.id
            ? Effect.succeed({ provider: fake, options: { acp: { command: "fake" } } })
            : Effect.fail(
                providerError("agent-not-found", `There is no agent ${id}.`, "Nothing of that name is known.")
              ),
        statuses: Effect.succeed([]),
        changes: Stream.empty,
        check: Effect.succeed([]),
        noteLogin: () => Effect.void
      })
    )
  )

  return {
    layer,
    starts,
    prompts,
    answers,
    startGates,
    brokenStarts,
    doomed,
    forgetful,
    hooks,
    loseAtNextPrompt,
    steering,
    returned,
    /** Threads whose agent runs. */
    running: (): ReadonlyArray<ThreadId> => [...sessions.keys()],
    /** Its agent ends by itself. */
    crash: (threadId: ThreadId) => Effect.flatMap(Effect.orDie(find(threadId)), (running) => exit(running, false)),
    /** Emits for a thread that may not be there. */
    emit: (threadId: ThreadId, bodies: ReadonlyArray<Body<ProviderRuntimeEvent>>) =>
      emitAll(
        {
          threadId,
          provider: fake,
          providerSessionId: ProviderSessionId.make(`session-${threadId}`),
          resumeToken: ResumeToken.make(""),
          origin: "new"
        },
        bodies
      ),
    /** From here on it is as if the whole process had been killed: nothing is said, stopped or ended any more. */
    vanish: Effect.sync(() => {
      vanished = true
    })
  }
})

const tool = (at: number) => ({
  toolCallId: "call",
  title: "rm -r build",
  kind: "execute" as const,
  status: "pending" as const,
  subject: { type: "command" as const, command: "rm -r build" },
  diffs: [],
  content: [],
  locations: [],
  startedAt: at
})

const numbers = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, n) => `${n} `)
