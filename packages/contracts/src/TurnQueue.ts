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
 * | It ended, and its agent has lost the session since | is held: people choose how the agent goes on |
 * | Its session is stopped | has failed, as not sent; what was held before stays held |
 *
 * What comes between is never held. Nothing is held where nothing waits, and this kind of hold ends with the last prompt that it holds.
 */
import type { PromptPart } from "./Content.ts"
import type { Timestamp, TurnId } from "./Ids.ts"
import type { Draft } from "./ThreadDraft.ts"
import type { QueueHold, ThreadHead, TurnView } from "./ThreadView.ts"
import { hasEnded, type TurnEnding } from "./TurnState.ts"

/** Those that wait, in the order in which they will be sent. */
export const waiting = ({ turns }: Pick<ThreadHead, "turns">): ReadonlyArray<TurnView> => turns.filter(isWaiting)

/** The one that is to be sent next; nothing where none waits or all are held. */
export const next = ({ held, turns }: Pick<ThreadHead, "held" | "turns">): TurnView | undefined => {
  const first = turns.find(isWaiting)
  return held && !first?.steer ? undefined : first
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

/** A person holds the queue, or lets it go. */
export const hold = (draft: Draft, held: boolean): void => {
  delete draft.heldBy
  if (held) draft.held = true
  else delete draft.held
}

/** Those that a hold keeps from being sent, whether there is one or not. */
export const holdable = ({ turns }: Pick<ThreadHead, "turns">): ReadonlyArray<TurnView> => turns.filter(canBeHeld)

/** Stop was pressed on a running turn, or it makes way. */
export const stopped = (draft: Draft, turnId: TurnId): void => {
  const makesWay = draft.turns.some(({ steered }) => steered?.way === "restart" && steered.into === turnId)
  if (!makesWay) holdBehind(draft, { turnId, why: "stopped" })
}

/**
 * The session that knew what was said is gone, and another one has taken its place. Nothing is asked where nothing was said in the one
 * before: `since` is when that began.
 */
export const forgotten = (draft: Draft, since: Timestamp | undefined): void => {
  const known = draft.turns.findLast(({ sentAt }) => sentAt !== undefined && sentAt >= (since ?? 0))
  if (known !== undefined && hasEnded(known.status)) holdBehind(draft, { turnId: known.turnId, why: "forgotten" })
}

/** The first prompt for a session that has taken another one's place, when nothing waited for its start. */
export const firstAfterLoss = (draft: Draft): void => {
  const { origin, startedAt = 0 } = draft.session
  if (origin !== "replaced" || draft.turns.filter(isWaiting).length > 1) return
  if (!draft.turns.some(({ sentAt = 0 }) => sentAt >= startedAt)) forgotten(draft, undefined)
}

/** After Stop, it is known what becomes of the prompts that wait; an end holds them only if it takes people by surprise. */
export const ended = (draft: Draft, { interruptedAt, turnId }: TurnView, ending: TurnEnding): void => {
  if (ending === "completed" || (interruptedAt !== undefined && ending !== "lost")) return
  holdBehind(draft, { turnId, why: ending })
}

/** Earlier servers held nothing behind a turn: in their logs, the next turn is sent all the same. */
export const sent = (draft: Draft, turn: TurnView): void => {
  if (draft.heldBy !== undefined && !turn.steer) hold(draft, false)
}

/** A turn's hold ends with the last prompt that it holds. */
export const settle = (draft: Draft): void => {
  if (draft.heldBy !== undefined && !draft.turns.some(canBeHeld)) hold(draft, false)
}

/** What people hold stays theirs to let go. */
const holdBehind = (draft: Draft, by: QueueHold): void => {
  if ((draft.held && draft.heldBy === undefined) || !draft.turns.some(canBeHeld)) return
  draft.held = true
  draft.heldBy = by
}

const canBeHeld = (turn: TurnView): boolean => isWaiting(turn) && !turn.steer

const isWaiting = ({ status }: TurnView): boolean => status === "queued"
