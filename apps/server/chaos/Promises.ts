/** Checks the promises of the design against the evidence of a thread. Pure. */
import { promptText } from "@signalbox/contracts/Content"
import type { ThreadView, TurnView } from "@signalbox/contracts/ThreadView"
import { hasEnded } from "@signalbox/threads/TurnState"
import type { AgentLog } from "./AgentLog.ts"
import { misuse } from "./Commands.ts"
import * as Marker from "./Marker.ts"
import type { PlannedTurn } from "./Scenario.ts"
import type { Story } from "./Story.ts"

export interface Broken {
  /** The seed of the thread that shows the breach. Absent where no single thread does. */
  readonly seed?: number
  readonly promise: Promise
  readonly what: string
}

export type Promise =
  | "1 once or lost"
  | "1 as arranged"
  | "1 idempotent"
  | "2 text survives"
  | "3 every turn ends"
  | "3 turns keep apart"
  | "4 stop stops"
  | "5 no orphans"
  | "6 starts again"
  | "7 answered once"
  | "6 readable"
  | "8 small database"
  | "backups are whole"
  | "8 deleted"
  | "watchers converge"
  | "database intact"

/** Lists the promises that this story breaks. `log`: what the agent received. */
export const check = (story: Story, log: AgentLog): ReadonlyArray<Broken> => {
  const { seed } = story.scenario
  const broken = (promise: Promise, whats: ReadonlyArray<string>): ReadonlyArray<Broken> =>
    whats.map((what) => ({ seed, promise, what }))
  if (story.removal !== "none")
    return [...broken("1 once or lost", sentTwice(story, log)), ...broken("8 deleted", story.remains)]
  return [
    ...broken("1 once or lost", [...sentTwice(story, log), ...onceOrLost(story, log)]),
    ...broken("1 as arranged", asArranged(story, log)),
    ...broken("1 idempotent", idempotent(story)),
    ...broken("2 text survives", [
      ...story.crossings.flatMap(({ after, before }) => [
        ...kept(before.view, before.durable, after),
        ...misread(story, after)
      ]),
      ...story.spoiled,
      ...(story.last === undefined ? [] : misread(story, story.last))
    ]),
    ...broken("3 every turn ends", [...story.stuck, ...neverEnded(story)]),
    ...broken("4 stop stops", stopStops(story)),
    ...broken("6 starts again", worksAtTheEnd(story)),
    ...broken("6 readable", story.refusals),
    ...broken("3 turns keep apart", story.last === undefined ? [] : strays(story.last)),
    ...broken("7 answered once", answeredOnce(story, log)),
    ...broken("watchers converge", [...story.gaps, ...story.differences])
  ]
}

const turnOf = (view: ThreadView | undefined, { turnId }: PlannedTurn): TurnView | undefined =>
  view?.turns.find((turn) => turn.turnId === turnId)

const timesIn = (log: AgentLog, { marker }: PlannedTurn): number =>
  log.prompts.filter((prompt) => prompt.includes(marker)).length

/** Lists turns that were sent to the agent more than once, whatever the record says. */
const sentTwice = (story: Story, log: AgentLog): ReadonlyArray<string> =>
  story.scenario.turns.flat().flatMap((plan) => {
    const times = timesIn(log, plan)
    return times > 1 ? [`turn ${plan.marker} was sent to the agent ${times} times`] : []
  })

/** Lists turns whose record contradicts what the agent got: a prompt either reached it, or is on record as not sent. */
const onceOrLost = (story: Story, log: AgentLog): ReadonlyArray<string> =>
  story.scenario.turns.flat().flatMap((plan) => {
    const times = timesIn(log, plan)
    const sent = story.sent.find(({ commandId }) => commandId === plan.commandId)
    const name = `turn ${plan.marker}`
    if (sent?.outcome.type !== "accepted") return times === 0 ? [] : [`${name} was not taken, but the agent got it`]
    const takenBack = story.sent.some(
      ({ command, outcome }) =>
        command.type === "turn.interrupt" &&
        command.turnId === plan.turnId &&
        command.ifQueued === true &&
        outcome.type === "accepted"
    )
    if (takenBack && times > 0) return [`${name} was taken back unsent, but the agent got it`]
    const turn = turnOf(story.last, plan)
    if (turn === undefined) {
      // A prompt that waited may be taken back by Stop: then it leaves no trace, and the agent never saw it.
      const stopped = story.sent.some(
        ({ command, outcome }) =>
          command.type === "turn.interrupt" && command.turnId === plan.turnId && outcome.type === "accepted"
      )
      return stopped && times === 0 ? [] : [`${name} was accepted and is gone`]
    }
    if (turn.status === "completed" && times === 0) return [`${name} is called completed, but the agent never got it`]
    if (turn.sentAt === undefined && times > 0) return [`${name} is not on record as sent, but the agent got it`]
    if (turn.sentAt === undefined && turn.status === "lost") return [`${name} was never sent and is called lost`]
    return []
  })

/** Lists prompts that were changed or moved in the queue. These were sent with the old text or in the old order. */
const asArranged = (story: Story, log: AgentLog): ReadonlyArray<string> =>
  story.sent.flatMap(({ command, outcome }) => {
    if (outcome.type !== "accepted") return []
    const placeOf = (turnId: string | undefined) => {
      const plan = story.scenario.turns.flat().find((candidate) => candidate.turnId === turnId)
      return plan === undefined ? -1 : log.prompts.findIndex((prompt) => prompt.includes(plan.marker))
    }
    if (command.type === "turn.edit") {
      const sent = log.prompts[placeOf(command.turnId)]
      const asked = promptText(command.prompt)
      return sent === undefined || sent === asked ? [] : [`turn ${command.turnId} was sent as ${sent}, not as ${asked}`]
    }
    if (command.type !== "turn.move" || command.before === command.turnId) return []
    const [one, other] = [placeOf(command.turnId), placeOf(command.before)]
    return one < 0 || other < 0 || one < other ? [] : [`turn ${command.turnId} was sent behind ${command.before}`]
  })

const idempotent = ({ last, misused, sent }: Story): ReadonlyArray<string> => [
  ...misused
    .filter(({ type }) => type === "accepted")
    .map(() => "another command was taken under the id of one that had been taken"),
  ...(last?.title === misuse ? ["a command was carried out under the id of another"] : []),
  ...sent.flatMap(({ command, commandId, outcome, repeats }) =>
    repeats.flatMap((repeat) => {
      const name = `${command.type} ${commandId}`
      if (repeat.type === "unknown" || outcome.type === "unknown") return []
      if (repeat.type !== outcome.type)
        return [`${name} was ${outcome.type}, and ${repeat.type} when it was sent again`]
      if (repeat.type === "accepted" && outcome.type === "accepted" && repeat.sequence !== outcome.sequence)
        return [`${name} had receipt ${outcome.sequence}, and ${repeat.sequence} when it was sent again`]
      // Nothing but a lost connection stood in the way of these when they were sent first.
      if (repeat.type === "refused" && repeat === outcome && command.type === "turn.start")
        return [
          `${name} was cut off, and refused when it was sent again: ${repeat.problem.title} ${repeat.problem.cause}`
        ]
      return []
    })
  )
]

/** Lists what a client saw before a kill and is gone after it. Only the last moments of a text may be lost, and an ended turn stays ended. */
const kept = (before: ThreadView, durable: ReadonlyMap<string, number>, after: ThreadView): ReadonlyArray<string> => [
  ...before.items.flatMap((item) => {
    if (item.replayed) return []
    const now = after.items.find(({ itemId }) => itemId === item.itemId)
    if (item.type !== "message" && item.type !== "thought")
      return now === undefined ? [`${item.type} ${item.itemId} was seen and is gone`] : []
    const text = now === undefined || now.type !== item.type ? "" : now.text
    const least = durable.get(item.itemId) ?? 0
    if (text.length < least) return [`${item.itemId} had ${least} characters to keep and has ${text.length}`]
    if (!text.startsWith(item.text) && !item.text.startsWith(text))
      return [`${item.itemId} reads otherwise than it did`]
    return []
  }),
  ...before.turns.flatMap((turn) => {
    const now = after.turns.find(({ turnId }) => turnId === turn.turnId)
    if (!hasEnded(turn.status) || now?.status === turn.status) return []
    return [`turn ${turn.turnId} had ended as ${turn.status} and is ${now?.status ?? "gone"}`]
  })
]

/** Lists turns whose text is no beginning of what the agent is known to say. It also lists completed turns without all of it. */
const misread = ({ scenario }: Story, view: ThreadView): ReadonlyArray<string> =>
  scenario.turns.flat().flatMap((plan) => {
    const turn = turnOf(view, plan)
    if (plan.says === undefined || turn === undefined) return []
    const text = view.items
      .flatMap((item) => (item.type === "message" && item.turnId === plan.turnId && !item.replayed ? [item.text] : []))
      .join("")
    const name = `turn ${plan.marker}`
    if (!plan.says.startsWith(text))
      return [`${name} has a hole or foreign words at ${firstDifference(text, plan.says)}`]
    if (turn.status !== "completed" || text.length === plan.says.length) return []
    return [`${name} is called completed with ${text.length} of ${plan.says.length} characters`]
  })

const firstDifference = (text: string, other: string): number => {
  const at = Array.prototype.findIndex.call(text, (character, index) => character !== other[index])
  return at === -1 ? text.length : at
}

const neverEnded = ({ last }: Story): ReadonlyArray<string> =>
  last === undefined
    ? ["nothing is known of the thread at the end"]
    : [
        ...last.turns
          .filter(({ status }) => !hasEnded(status))
          .map(({ status, turnId }) => `turn ${turnId} is ${status} at the end`),
        ...last.items
          .filter((item) => (item.type === "message" || item.type === "thought") && item.endedAt === undefined)
          .map(({ itemId, type }) => `${type} ${itemId} is still open at the end`)
      ]

/** Milliseconds: the agent's deadline and the time for its process to end, doubled for a busy machine. */
const stopWithinMs = 2 * (8000 + 3000)

const stopStops = ({ last, scenario, sent, stops }: Story): ReadonlyArray<string> => [
  ...sent.flatMap(({ command, outcome }) => {
    if (command.type !== "turn.interrupt" || outcome.type !== "accepted") return []
    const turn = last?.turns.find(({ turnId }) => turnId === command.turnId)
    return turn && !hasEnded(turn.status) ? [`turn ${turn.turnId} was stopped, and is ${turn.status} at the end`] : []
  }),
  ...stops.flatMap(({ tookMs, turnId }) => {
    const plan = scenario.turns.flat().find((candidate) => candidate.turnId === turnId)
    const name = `turn ${plan?.marker}`
    if (tookMs > stopWithinMs) return [`${name} ended ${Math.round(tookMs)} ms after Stop`]
    const status = last?.turns.find((turn) => turn.turnId === turnId)?.status
    return plan?.kind === "hold" && status === "completed" ? [`${name} goes on for ever, and is called completed`] : []
  })
]

/** Lists prompts of the last life that did not complete although nothing disturbed them. */
const worksAtTheEnd = ({ last, scenario, sent }: Story): ReadonlyArray<string> =>
  (scenario.turns.at(-1) ?? []).flatMap((plan) => {
    const turn = turnOf(last, plan)
    if (turn === undefined || turn.status === "completed") return []
    const stopped = sent.some(
      ({ command, life }) => command.type === "session.stop" && life === scenario.turns.length - 1
    )
    if (plan.stopAfterMs !== undefined || stopped || scenario.hostile) return []
    return [`turn ${plan.marker} had nothing in its way, and is ${turn.status}: ${turn.problem?.title}`]
  })

/** Lists entries that contain words of another turn. */
const strays = (view: ThreadView): ReadonlyArray<string> => {
  const markers = new Map(view.turns.map((turn) => [turn.turnId, Marker.allIn(JSON.stringify(turn.prompt))[0]]))
  return view.items.flatMap((item) => {
    if (item.replayed || item.turnId === undefined) return []
    const own = markers.get(item.turnId)
    const foreign = Marker.allIn(JSON.stringify(item)).find((marker) => marker !== own)
    return foreign === undefined ? [] : [`${item.type} ${item.itemId} of ${own} holds words of ${foreign}`]
  })
}

/** Lists requests that were answered twice, also at the agent. It also lists those answered in a later life of the server. */
const answeredOnce = (story: Story, { selections }: AgentLog): ReadonlyArray<string> => {
  const answers = story.sent.filter(({ command }) => command.type === "request.respond")
  const taken = answers.filter(({ outcome }) => outcome.type === "accepted")
  const byRequest = Map.groupBy(taken, ({ command }) => (command.type === "request.respond" ? command.requestId : ""))
  const byQuestion = Map.groupBy(selections, ({ id, pid }) => `${id} of process ${pid}`)
  return [
    ...[...byRequest].filter(([, { length }]) => length > 1).map(([id]) => `request ${id} was answered twice`),
    ...[...byQuestion].filter(([, { length }]) => length > 1).map(([id]) => `the agent got two answers to ${id}`),
    ...(selections.length > taken.length
      ? [`the agent got ${selections.length} answers, and ${taken.length} were taken`]
      : []),
    ...story.lateAnswers
      .filter(({ type }) => type === "accepted")
      .map(() => "an answer to a request of an earlier run of the server was taken")
  ]
}
