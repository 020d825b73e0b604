/**
 * A thread that lives through whatever it is dealt: people's commands through the real decider, and an agent that says what agents say. It
 * says that in the order in which an adapter reports it. Servers end politely or not. Only what lies between them is a model: a pipe from
 * the agent to the log, and the reactor's few steps.
 */
import type { ThreadCommand } from "@signalbox/contracts/Command"
import { EventId, ItemId, ProviderSessionId, RequestId, ResumeToken, Sequence, TurnId } from "@signalbox/contracts/Ids"
import type { ProviderRuntimeEvent, TurnOutcome } from "@signalbox/contracts/ProviderRuntimeEvent"
import { isTextPiece } from "@signalbox/contracts/TextEvents"
import type { LoggedEvent, OrchestrationEvent, ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as TurnQueue from "@signalbox/threads/TurnQueue"
import { hasEnded, isRunning } from "@signalbox/threads/TurnState"
import * as Result from "effect/Result"
import { patternTest } from "../../src/base/PatternMatch.ts"
import { decide } from "@signalbox/threads/Decider"
import { reconcile } from "@signalbox/threads/Reconciliation"
import { fake } from "./FakeProvider.ts"
import { created, logged, threadId, toolCall } from "./ThreadEvents.ts"

type Bare<Event> = Event extends ThreadEvent
  ? Omit<Event, "threadId" | "at" | "eventId" | "providerKind" | "providerSessionId">
  : never
type Told = Bare<ProviderRuntimeEvent>
type Said = Bare<OrchestrationEvent>
type Whose = { readonly turnId?: TurnId; readonly late?: true }

export type Seen = (event: ThreadEvent, before: ThreadView, after: ThreadView) => void

interface Agent {
  readonly session: ProviderSessionId
  /** The prompt that it works on, and those that it has worked on. */
  turn: TurnId | undefined
  readonly past: Array<TurnId>
  /** Stop was passed on to it. */
  stopped: boolean
  /** How much it has said of each text, and which of its calls and requests are open. */
  readonly said: Map<ItemId, number>
  readonly calls: Map<ItemId, Whose>
  readonly requests: Map<RequestId, Whose>
}

const outcomes: ReadonlyArray<TurnOutcome> = ["completed", "refused", "limited", "failed", "cancelled"]

export class ThreadLife {
  /** What is kept; the state that it amounts to, now and before the latest event. */
  log: Array<LoggedEvent> = [...logged(0, [created])]
  view: ThreadView = ThreadProjection.apply(undefined, this.log)
  /** The prompts that an agent was given, in order. */
  readonly given: Array<TurnId> = []
  private pipe: Array<ProviderRuntimeEvent> = []
  private agent: Agent | undefined
  /** Dispatched, and not given to the agent yet. */
  private inHand: TurnId | undefined
  private count = 0
  private readonly seen: Seen

  /** `seen` is called with each event, and with the state before and after it. */
  constructor(seen: Seen) {
    this.seen = seen
  }

  /** Does one of the things that can happen now; `choice` says which, and how. */
  move(choice: number): void {
    const how = Math.floor(choice / moves.length)
    moves[choice % moves.length]?.(this, how)
  }

  /** Nothing unforeseen happens any more: everyone does what they have left to do. */
  settle(how: number): void {
    for (let rounds = 0; !this.isSettled(); rounds++) {
      if (rounds > 20 + 10 * this.view.turns.length) throw new Error("The thread has turns that never end.")
      this.command({ type: "queue.hold", held: false })
      this.takeIn(Number.POSITIVE_INFINITY)
      this.advance(0)
      this.handOver()
      this.passStopOn()
      if (this.agent?.turn !== undefined) this.endTurn(how + rounds)
    }
  }

  private isSettled(): boolean {
    const { turn } = this.agent ?? {}
    return turn === undefined && this.pipe.length === 0 && this.view.turns.every(({ status }) => hasEnded(status))
  }

  // People

  prompt(): void {
    const turnId = TurnId.make(`turn-${++this.count}`)
    this.command({ type: "turn.start", turnId, prompt: [{ type: "text", text: "go" }] })
  }

  /** Another prompt than before, another place, or all of them held or let go. */
  arrange(how: number): void {
    const [turn, other] = [pick(TurnQueue.waiting(this.view), how), pick(TurnQueue.waiting(this.view), how >> 2)]
    if (how % 4 === 0) this.command({ type: "queue.hold", held: how % 3 !== 0 })
    else if (turn === undefined || other === undefined) return
    else if (how % 4 === 1) {
      const prompt = [{ type: "text" as const, text: `go ${how}` }] as const
      this.command({ type: "turn.edit", turnId: turn.turnId, prompt })
    } else this.command({ type: "turn.move", turnId: turn.turnId, ...(how % 5 > 0 && { before: other.turnId }) })
  }

  /** A prompt that comes between. */
  steer(): void {
    const turnId = TurnId.make(`turn-${++this.count}`)
    this.command({ type: "turn.start", turnId, prompt: [{ type: "text", text: "now" }], steer: true })
  }

  interrupt(how: number): void {
    const living = this.view.turns.filter(({ status }) => !hasEnded(status))
    const turn = pick(how % 5 === 0 ? this.view.turns : living, how)
    if (turn) this.command({ type: "turn.interrupt", turnId: turn.turnId })
  }

  answer(how: number): void {
    const open = pick(this.view.requests, how)
    if (open === undefined) return
    const { requestId } = open.request
    const taken = this.command({ type: "request.respond", requestId, response: { type: "option", optionId: "yes" } })
    const whose = taken && this.agent?.requests.get(requestId)
    if (!whose) return
    this.agent?.requests.delete(requestId)
    const outcome = { type: "answered" as const, response: { type: "option" as const, optionId: "yes" } }
    this.tell({ type: "approval.resolved", ...whose, requestId, outcome })
  }

  stopSession(): void {
    if (!this.command({ type: "session.stop" })) return
    this.endAgent(true)
    this.takeIn(Number.POSITIVE_INFINITY)
    for (const { status, turnId } of this.view.turns)
      if (isRunning(status)) this.say({ type: "turn.failed", turnId, problem })
    this.inHand = undefined
  }

  private command(command: ThreadCommand): boolean {
    const decision = decide(this.view, command, { threadId, now: this.now(), patternTest })
    if (Result.isFailure(decision)) return false
    for (const event of decision.success) this.append(event)
    return decision.success.length > 0
  }

  // The reactor

  /** Runs the next turn: starts the agent for it, or says on record that the agent gets it. */
  advance(how: number): void {
    const next = TurnQueue.next(this.view)
    if (next === undefined || this.inHand !== undefined || ThreadProjection.runningTurn(this.view)) return
    if (this.agent === undefined) return this.start(how)
    if (this.view.session.providerSessionId !== this.agent.session) return
    this.say({ type: "turn.dispatched", turnId: next.turnId })
    this.inHand = next.turnId
  }

  private start(how: number): void {
    this.say({ type: "session.start.requested" })
    const turn = TurnQueue.next(this.view)
    if (how % 5 === 4 && turn) return this.say({ type: "turn.failed", turnId: turn.turnId, problem })
    const session = ProviderSessionId.make(`session-${++this.count}`)
    this.agent = {
      session,
      turn: undefined,
      past: [],
      stopped: false,
      said: new Map(),
      calls: new Map(),
      requests: new Map()
    }
    this.tell({ type: "session.started", origin: "new", resumeToken: ResumeToken.make("token"), capabilities })
  }

  handOver(): void {
    const turnId = this.inHand
    if (turnId === undefined) return
    this.inHand = undefined
    const status = this.view.turns.find((turn) => turn.turnId === turnId)?.status
    if (status === "cancelling") this.say({ type: "turn.withdrawn", turnId })
    else if (this.agent === undefined || this.agent.turn !== undefined)
      this.say({ type: "turn.failed", turnId, problem })
    else {
      this.agent.turn = turnId
      this.agent.stopped = false
      this.given.push(turnId)
      this.tell({ type: "turn.started", turnId })
    }
  }

  passStopOn(): void {
    const turn = ThreadProjection.runningTurn(this.view)
    if (this.agent && turn?.status === "cancelling" && this.agent.turn === turn.turnId) this.agent.stopped = true
  }

  /** The agent's call came back. Its end has not arrived for so long that nobody waits for it any more. */
  giveUp(): void {
    const turn = ThreadProjection.runningTurn(this.view)
    if (turn && this.inHand === undefined) this.say({ type: "turn.failed", turnId: turn.turnId, problem })
  }

  // The agent

  /** Does something in its turn, late in one that is over, or in none. */
  work(how: number): void {
    const { agent } = this
    if (agent === undefined) return
    const late = how % 4 === 0 ? pick(agent.past, how) : undefined
    const turnId = late ?? agent.turn
    const whose: Whose = turnId === undefined ? {} : late ? { turnId, late: true } : { turnId }
    const name = turnId ?? agent.session
    const itemOf = (kind: string) => ItemId.make(`${name}:${kind}`)
    switch (Math.floor(how / 4) % 8) {
      case 0:
      case 1:
        return this.stream(agent, "message.delta", itemOf("assistant"), whose)
      case 2:
        return this.stream(agent, "thought.delta", itemOf("thought"), whose)
      case 3:
        // What is said after a call is another message.
        return this.stream(agent, "message.delta", itemOf("assistant:2"), whose)
      case 4: {
        const itemId = itemOf(`call-${++this.count}`)
        agent.calls.set(itemId, whose)
        return this.tell({ type: "tool.started", ...whose, itemId, tool: call(itemId, "in_progress") })
      }
      case 5: {
        const [itemId, began] = pick([...agent.calls], how) ?? []
        if (itemId === undefined || began === undefined) return
        const isLate = began.turnId !== undefined && began.turnId !== agent.turn
        const now: Whose = isLate ? { ...began, late: true } : began
        if (how % 3 === 0) return this.tell({ type: "tool.updated", ...now, itemId, tool: call(itemId, "in_progress") })
        agent.calls.delete(itemId)
        return this.tell({ type: "tool.completed", ...now, itemId, tool: call(itemId, "completed") })
      }
      case 6: {
        if (late) return
        const requestId = RequestId.make(`request-${++this.count}`)
        agent.requests.set(requestId, whose)
        const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }]
        const request = {
          type: "approval" as const,
          requestId,
          tool: call("asked", "pending"),
          options,
          at: this.now()
        }
        return this.tell({ type: "approval.requested", ...whose, request })
      }
      default:
        return this.tell({ type: "runtime.warning", ...whose, message: name })
    }
  }

  /** Text that says of each piece whose it is. */
  private stream(agent: Agent, type: "message.delta" | "thought.delta", itemId: ItemId, whose: Whose): void {
    const text = `<${whose.turnId ?? ""}>`
    const offset = agent.said.get(itemId) ?? 0
    agent.said.set(itemId, offset + text.length)
    this.tell({ type, ...whose, itemId, offset, text })
  }

  endTurn(how: number): void {
    const turnId = this.agent?.turn
    if (this.agent === undefined || turnId === undefined) return
    this.closeRequests(turnId, { type: "cancelled" })
    if (how % 2 === 0)
      for (const [itemId, whose] of this.agent.calls) {
        if (whose.turnId !== turnId) continue
        this.agent.calls.delete(itemId)
        this.tell({ type: "tool.completed", ...whose, itemId, tool: call(itemId, "unfinished") })
      }
    const outcome = this.agent.stopped ? "cancelled" : outcomes[how % outcomes.length]!
    this.agent.turn = undefined
    this.agent.past.push(turnId)
    this.tell({ type: "turn.completed", turnId, outcome })
  }

  endAgent(expected: boolean): void {
    if (this.agent === undefined) return
    this.closeRequests(undefined, { type: "expired", reason: "The agent ended." })
    const turnId = this.agent.turn
    if (turnId !== undefined) this.tell({ type: "turn.completed", turnId, outcome: expected ? "cancelled" : "failed" })
    this.tell({ type: "session.exited", expected })
    this.agent = undefined
  }

  /** Those of a turn, or all. */
  private closeRequests(
    turnId: TurnId | undefined,
    outcome: { type: "cancelled" } | { type: "expired"; reason: string }
  ) {
    for (const [requestId, whose] of this.agent?.requests ?? []) {
      if (turnId !== undefined && whose.turnId !== turnId) continue
      this.agent?.requests.delete(requestId)
      this.tell({ type: "approval.resolved", ...whose, requestId, outcome })
    }
  }

  private tell(body: Told): void {
    if (this.agent === undefined) return
    this.pipe.push({
      ...body,
      threadId,
      at: this.now(),
      eventId: EventId.make(`event-${++this.count}`),
      providerKind: fake.kind,
      providerSessionId: this.agent.session
    })
  }

  // The server

  /** Applies the next events of the agent. */
  takeIn(events: number): void {
    for (const event of this.pipe.splice(0, events)) this.append(event)
  }

  /** It is killed: what is in the pipe is gone, and so is the text that was not on the disk yet. Another one takes over. */
  crash(how: number): void {
    this.pipe = []
    this.agent = undefined
    let kept = this.log.length
    for (let lost = how % 5; lost > 0 && isText(this.log[kept - 1]?.event); lost--) kept--
    this.log = this.log.slice(0, kept)
    this.restart()
  }

  /** It is stopped: the agent ends first, and what it says last is kept. Another one takes over. */
  stop(): void {
    this.endAgent(true)
    this.takeIn(Number.POSITIVE_INFINITY)
    this.restart()
  }

  private restart(): void {
    this.inHand = undefined
    this.view = ThreadProjection.apply(undefined, this.log)
    for (const event of reconcile(this.view, this.now())) this.append(event)
  }

  private say(body: Said): void {
    this.append({ ...body, threadId, at: this.now() })
  }

  private append(event: ThreadEvent): void {
    const before = this.view
    const entry = { sequence: Sequence.make(before.sequence + 1), event }
    this.view = ThreadProjection.apply(before, [entry])
    this.log.push(entry)
    this.seen(event, before, this.view)
  }

  private now(): number {
    return this.log.length + 1
  }
}

/** Everything that can happen, the usual more often than the rest. */
const moves: ReadonlyArray<(life: ThreadLife, how: number) => void> = [
  (life) => life.prompt(),
  (life, how) => life.advance(how),
  (life, how) => life.advance(how),
  (life) => life.handOver(),
  (life) => life.handOver(),
  (life, how) => life.work(how),
  (life, how) => life.work(how),
  (life, how) => life.work(how),
  (life, how) => life.work(how),
  (life, how) => life.takeIn(1 + (how % 4)),
  (life, how) => life.takeIn(1 + (how % 4)),
  (life, how) => life.takeIn(how),
  (life, how) => life.endTurn(how),
  (life, how) => life.interrupt(how),
  (life) => life.passStopOn(),
  (life, how) => life.answer(how),
  (life, how) => life.arrange(how),
  (life, how) => (how % 4 === 0 ? life.steer() : life.takeIn(1)),
  (life, how) => (how % 3 === 0 ? life.endAgent(false) : life.work(how)),
  (life, how) => (how % 3 === 0 ? life.crash(how) : life.work(how)),
  (life, how) => (how % 6 === 0 ? life.stop() : life.takeIn(2)),
  (life, how) => (how % 6 === 0 ? life.stopSession() : life.takeIn(2)),
  (life, how) => (how % 6 === 0 ? life.giveUp() : life.takeIn(2))
]

/** Choices below this say all that can be said. */
export const choices = moves.length * 1000

const pick = <A>(from: ReadonlyArray<A>, how: number): A | undefined => from[how % Math.max(from.length, 1)]

const isText = (event: ThreadEvent | undefined): boolean => event !== undefined && isTextPiece(event)

const call = (toolCallId: string, status: "pending" | "in_progress" | "completed" | "unfinished") =>
  toolCall({ toolCallId, status })

const problem = { code: "internal" as const, title: "It failed.", cause: "For the test.", evidence: {}, nextSteps: [] }

const capabilities = { rollback: { supported: false, reason: "No." }, resume: true, images: false }
