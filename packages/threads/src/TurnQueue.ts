/**
 * The queued turns of a thread: their order, and whether they are sent. Pure; the steps change a `Draft`.
 *
 * A person holds the queue until somebody releases it. A turn that does not end well holds the prompts behind it, until
 * people release them:
 *
 * | What happens to the turn | Prompts behind it |
 * |---|---|
 * | It ends as `completed` | are sent |
 * | Stop is pressed on it | are held from then on. With an empty queue, a prompt after Stop is sent after the end |
 * | It is stopped for a steering prompt | are sent after that prompt |
 * | It ends as `failed`: also without a sign-in, or an agent that does not start or ends by itself | are held |
 * | It ends as `refused` or `limited`, or as `cancelled` without Stop | are held |
 * | It ends as `lost`, stopped or not | are held |
 * | It has ended, and its agent has lost the session | are held, steering ones too: people choose how to continue |
 * | Its session is stopped | fail as not sent; prompts that were held before stay held |
 *
 * Nothing else holds a steering prompt. An empty queue is not held, and a turn's hold ends with its last held prompt.
 */
import type { PromptPart } from "@signalbox/contracts/Content"
import type { TurnId } from "@signalbox/contracts/Ids"
import type { Draft } from "./ThreadDraft.ts"
import type { QueueHold, ThreadHead, TurnView } from "@signalbox/contracts/ThreadView"
import type { TurnEnding } from "./TurnState.ts"

/** The queued turns, in the order in which they will be sent. */
export const waiting = ({ turns }: Pick<ThreadHead, "turns">): ReadonlyArray<TurnView> => turns.filter(isWaiting)

/** The turn to send next. Undefined if none is queued or all are held. */
export const next = ({
  forgotten,
  held,
  turns
}: Pick<ThreadHead, "forgotten" | "held" | "turns">): TurnView | undefined => {
  const first = turns.find(isWaiting)
  return forgotten === "open" || (held && !first?.steer) ? undefined : first
}

/** Adds a turn at the end. A steering turn goes before all turns that don't steer. */
export const add = (draft: Draft, turn: TurnView): void => {
  const index = turn.steer ? draft.turns.findIndex((other) => isWaiting(other) && !other.steer) : -1
  if (index === -1) draft.turns.push(turn)
  else draft.turns.splice(index, 0, turn)
}

export const edit = (draft: Draft, turnId: TurnId, prompt: ReadonlyArray<PromptPart>): void => {
  draft.turns = draft.turns.map((turn) => (turn.turnId === turnId && isWaiting(turn) ? { ...turn, prompt } : turn))
}

/** Moves a turn before another one, or to the end if that one is not queued. */
export const move = (draft: Draft, turnId: TurnId, before: TurnId | undefined): void => {
  const turn = draft.turns.find((candidate) => candidate.turnId === turnId)
  if (turn === undefined || !isWaiting(turn)) return
  const others = draft.turns.filter((candidate) => candidate !== turn)
  const index = others.findIndex((other) => other.turnId === before && isWaiting(other))
  draft.turns = index === -1 ? [...others, turn] : others.toSpliced(index, 0, turn)
}

/** A person holds or releases the queue. If the session was lost, releasing is the choice how to continue. */
export const hold = (draft: Draft, held: boolean): void => {
  if (!held && draft.heldBy?.why === "forgotten") draft.forgotten = "chosen"
  release(draft)
  if (held) draft.held = true
}

/** The turns that a hold keeps from being sent, whether or not there is a hold. */
export const holdable = (head: Pick<ThreadHead, "forgotten" | "turns">): ReadonlyArray<TurnView> =>
  head.turns.filter((turn) => canBeHeld(head, turn))

/** Stop was pressed on a running turn, or a steering prompt stops it. */
export const stopped = (draft: Draft, turnId: TurnId): void => {
  const makesWay = draft.turns.some(({ steered }) => steered?.way === "restart" && steered.into === turnId)
  if (!makesWay) holdBehind(draft, { turnId, why: "stopped" })
}

/**
 * A new session has replaced the one with the conversation. People are not asked if nothing was ever said. Nor are they
 * asked again if they have chosen for a prompt on its way.
 */
export const forgotten = (draft: Draft): void => {
  if (draft.from === undefined && lastSent(draft) === undefined) return
  draft.forgotten ??= "open"
}

/**
 * Asks people again: a prompt that they released for a new session never arrived, so later ones would take its place.
 */
const asksAgain = (draft: Draft): void => {
  if (draft.forgotten === "chosen") draft.forgotten = "open"
}

/** A queued prompt is withdrawn. */
export const takenBack = (draft: Draft, turn: TurnView): void => {
  draft.turns = draft.turns.filter((candidate) => candidate !== turn)
  asksAgain(draft)
}

/** A turn has ended. The end holds queued prompts only if it is unexpected: after Stop it is not. */
export const ended = (draft: Draft, { interruptedAt, sentAt, turnId }: TurnView, ending: TurnEnding): void => {
  if (sentAt === undefined) asksAgain(draft)
  if (ending === "completed" || (interruptedAt !== undefined && ending !== "lost")) return
  holdBehind(draft, { turnId, why: ending })
}

/**
 * A turn is sent. Earlier servers held nothing behind a turn, so their logs may send the next turn in spite of a hold.
 */
export const sent = (draft: Draft, turn: TurnView): void => {
  delete draft.forgotten
  if (draft.heldBy !== undefined && !turn.steer) release(draft)
}

/** Applies the hold of a lost session, and ends a turn's hold with its last held prompt. */
export const settle = (draft: Draft): void => {
  if (draft.forgotten === "open" && draft.heldBy?.why !== "forgotten") {
    const known = lastSent(draft)
    holdBehind(draft, { ...(known && { turnId: known.turnId }), why: "forgotten" })
  }
  if (draft.heldBy !== undefined && holdable(draft).length === 0) release(draft)
}

/** The latest turn that the agent may know. A turn in `sent` is still on its way. */
const lastSent = ({ turns }: Draft): TurnView | undefined =>
  turns.findLast(({ sentAt, status }) => sentAt !== undefined && status !== "sent")

const release = (draft: Draft): void => {
  delete draft.heldBy
  delete draft.held
}

/** Holds queued turns behind a turn. A person's hold stays a person's. */
const holdBehind = (draft: Draft, by: QueueHold): void => {
  if ((draft.held && draft.heldBy === undefined) || holdable(draft).length === 0) return
  draft.held = true
  draft.heldBy = by
}

const canBeHeld = ({ forgotten }: Pick<ThreadHead, "forgotten">, turn: TurnView): boolean =>
  isWaiting(turn) && (!turn.steer || forgotten === "open")

const isWaiting = ({ status }: TurnView): boolean => status === "queued"
