/**
 * The turns of a thread that wait to be sent: in which order, and whether they are. Pure; the steps change a `Draft`.
 *
 * People hold the queue until they let it go. A turn that does not end well holds what waits behind it, until people let it go:
 *
 * | What happens to the turn | What waits behind it |
 * |---|---|
 * | It ends as `completed` | is sent |
 * | Stop is pressed on it | is held from then on. A prompt that comes after Stop, when nothing waited, is sent after the end |
 * | It makes way for a prompt that comes between | is sent after that prompt |
 * | It ends as `failed`: also a refused login, an agent that does not start or ends by itself | is held |
 * | It ends as `refused` or `limited`, or as `cancelled` without Stop | is held |
 * | It ends as `lost`, stopped or not | is held |
 * | It ended, and its agent has lost the session since | is held, what comes between too: people choose how the agent goes on |
 * | Its session is stopped | has failed, as not sent; what was held before stays held |
 *
 * What comes between is held by nothing else. Nothing is held where nothing waits, and this kind of hold ends with the last prompt that it
 * holds.
 */
import type { PromptPart } from "@signalbox/contracts/Content"
import type { TurnId } from "@signalbox/contracts/Ids"
import type { Draft } from "./ThreadDraft.ts"
import type { QueueHold, ThreadHead, TurnView } from "@signalbox/contracts/ThreadView"
import type { TurnEnding } from "./TurnState.ts"

/** Those that wait, in the order in which they will be sent. */
export const waiting = ({ turns }: Pick<ThreadHead, "turns">): ReadonlyArray<TurnView> => turns.filter(isWaiting)

/** The one that is to be sent next; nothing where none waits or all are held. */
export const next = ({
  forgotten,
  held,
  turns
}: Pick<ThreadHead, "forgotten" | "held" | "turns">): TurnView | undefined => {
  const first = turns.find(isWaiting)
  return forgotten === "open" || (held && !first?.steer) ? undefined : first
}

/** Behind all others, or before all that are not to come between. */
export const add = (draft: Draft, turn: TurnView): void => {
  const index = turn.steer ? draft.turns.findIndex((other) => isWaiting(other) && !other.steer) : -1
  if (index === -1) draft.turns.push(turn)
  else draft.turns.splice(index, 0, turn)
}

export const edit = (draft: Draft, turnId: TurnId, prompt: ReadonlyArray<PromptPart>): void => {
  draft.turns = draft.turns.map((turn) => (turn.turnId === turnId && isWaiting(turn) ? { ...turn, prompt } : turn))
}

/** Puts a turn before another one; behind all where that does not wait. */
export const move = (draft: Draft, turnId: TurnId, before: TurnId | undefined): void => {
  const turn = draft.turns.find((candidate) => candidate.turnId === turnId)
  if (turn === undefined || !isWaiting(turn)) return
  const others = draft.turns.filter((candidate) => candidate !== turn)
  const index = others.findIndex((other) => other.turnId === before && isWaiting(other))
  draft.turns = index === -1 ? [...others, turn] : others.toSpliced(index, 0, turn)
}

/** A person holds the queue, or lets it go. Only who is told of a lost session chooses how it goes on. */
export const hold = (draft: Draft, held: boolean): void => {
  if (!held && draft.heldBy?.why === "forgotten") draft.forgotten = "chosen"
  release(draft)
  if (held) draft.held = true
}

/** Those that a hold keeps from being sent, whether there is one or not. */
export const holdable = (head: Pick<ThreadHead, "forgotten" | "turns">): ReadonlyArray<TurnView> =>
  head.turns.filter((turn) => canBeHeld(head, turn))

/** Stop was pressed on a running turn, or it makes way. */
export const stopped = (draft: Draft, turnId: TurnId): void => {
  const makesWay = draft.turns.some(({ steered }) => steered?.way === "restart" && steered.into === turnId)
  if (!makesWay) holdBehind(draft, { turnId, why: "stopped" })
}

/**
 * The session that knew what was said is gone, and another one has taken its place. Nothing is asked where nothing was ever said. Nor is it
 * where people have chosen already for a prompt that is on its way.
 */
export const forgotten = (draft: Draft): void => {
  if (draft.from === undefined && lastSent(draft) === undefined) return
  draft.forgotten ??= "open"
}

/** A prompt that was let go for a new session never came there: what follows it would come there in its place. */
const asksAgain = (draft: Draft): void => {
  if (draft.forgotten === "chosen") draft.forgotten = "open"
}

/** A prompt that waited is taken back. */
export const takenBack = (draft: Draft, turn: TurnView): void => {
  draft.turns = draft.turns.filter((candidate) => candidate !== turn)
  asksAgain(draft)
}

/** After Stop, it is known what becomes of the prompts that wait; an end holds them only if it takes people by surprise. */
export const ended = (draft: Draft, { interruptedAt, sentAt, turnId }: TurnView, ending: TurnEnding): void => {
  if (sentAt === undefined) asksAgain(draft)
  if (ending === "completed" || (interruptedAt !== undefined && ending !== "lost")) return
  holdBehind(draft, { turnId, why: ending })
}

/** Earlier servers held nothing behind a turn: in their logs, the next turn is sent all the same. */
export const sent = (draft: Draft, turn: TurnView): void => {
  delete draft.forgotten
  if (draft.heldBy !== undefined && !turn.steer) release(draft)
}

/** A lost session holds what waits, whenever that came. A turn's hold ends with the last prompt that it holds. */
export const settle = (draft: Draft): void => {
  if (draft.forgotten === "open" && draft.heldBy?.why !== "forgotten") {
    const known = lastSent(draft)
    holdBehind(draft, { ...(known && { turnId: known.turnId }), why: "forgotten" })
  }
  if (draft.heldBy !== undefined && holdable(draft).length === 0) release(draft)
}

/** The latest turn of which the agent may know. A turn that it has not begun with is on its way still. */
const lastSent = ({ turns }: Draft): TurnView | undefined =>
  turns.findLast(({ sentAt, status }) => sentAt !== undefined && status !== "sent")

const release = (draft: Draft): void => {
  delete draft.heldBy
  delete draft.held
}

/** What people hold stays theirs to let go. */
const holdBehind = (draft: Draft, by: QueueHold): void => {
  if ((draft.held && draft.heldBy === undefined) || holdable(draft).length === 0) return
  draft.held = true
  draft.heldBy = by
}

const canBeHeld = ({ forgotten }: Pick<ThreadHead, "forgotten">, turn: TurnView): boolean =>
  isWaiting(turn) && (!turn.steer || forgotten === "open")

const isWaiting = ({ status }: TurnView): boolean => status === "queued"
