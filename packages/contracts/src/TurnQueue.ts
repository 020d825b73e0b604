/** The turns of a thread that wait to be sent: in which order, and whether they are. Pure; the steps change a `Draft`. */
import type { PromptPart } from "./Content.ts"
import type { TurnId } from "./Ids.ts"
import type { Draft } from "./ThreadDraft.ts"
import type { ThreadHead, TurnView } from "./ThreadView.ts"

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

export const hold = (draft: Draft, held: boolean): void => {
  if (held) draft.held = true
  else delete draft.held
}

const isWaiting = ({ status }: TurnView): boolean => status === "queued"
