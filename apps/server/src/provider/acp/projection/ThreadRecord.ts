/**
 * The latest events that an adapter emitted for a thread. They are folded into a view only on request, with the
 * projection that is used everywhere.
 */
import { type PromptPart, promptText } from "@signalbox/contracts/Content"
import { Sequence, type TurnId } from "@signalbox/contracts/Ids"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import * as ThreadProjection from "@signalbox/threads/ThreadProjection"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import type { StartSession } from "../../Services/ProviderAdapter.ts"

/**
 * Most characters that are kept, roughly. The beginning of a longer conversation is missing here, but not in the
 * thread's log. The limit fits a young heap generation: longer lives would cost more to collect than to make.
 */
const maxWeight = 32 * 1024

export interface ThreadRecord {
  /** Adds events. `added`: their weight in characters. */
  readonly append: (events: ReadonlyArray<ThreadEvent>, added: number) => void
  /** Adds a prompt that was sent to the agent. `into`: the running turn that it steers. */
  readonly turn: (turnId: TurnId, prompt: ReadonlyArray<PromptPart>, at: number, into?: TurnId) => void
  readonly view: () => Pick<ThreadView, "items" | "turns">
}

/** Most events of turns that are kept after their transcript is dropped. */
const maxTurnEvents = 3_000

const isOfTurn = ({ type }: ThreadEvent): boolean =>
  type === "turn.queued" || type === "turn.dispatched" || type === "turn.steered" || type === "turn.completed"

interface Batch {
  readonly events: ReadonlyArray<ThreadEvent>
  readonly weight: number
}

export const make = (
  { cwd, provider, providerOptions, settings, threadId }: StartSession,
  createdAt: number
): ThreadRecord => {
  let batches: Array<Batch> = []
  let earlier: Array<ThreadEvent> = []
  let weight = 0

  const append = (events: ReadonlyArray<ThreadEvent>, added: number) => {
    batches.push({ events, weight: added })
    weight += added
    // Drops half at a time, so that not every chunk moves the kept events.
    if (weight > maxWeight) trim()
  }

  const trim = () => {
    let drop = 0
    for (; weight > maxWeight / 2 && drop < batches.length - 1; drop += 1) weight -= batches[drop]?.weight ?? 0
    for (const { events } of batches.slice(0, drop))
      for (const event of events) if (isOfTurn(event)) earlier.push(event)
    if (earlier.length > maxTurnEvents) earlier = earlier.slice(-maxTurnEvents)
    batches = batches.slice(drop)
  }

  return {
    append,
    turn: (turnId, prompt, at, into) =>
      append(
        [
          { type: "turn.queued", threadId, at, turnId, prompt },
          { type: "turn.dispatched", threadId, at, turnId },
          ...(into === undefined
            ? []
            : [{ type: "turn.steered" as const, threadId, at, turnId, way: "agent" as const, into }])
        ],
        promptText(prompt).length
      ),
    view: () => {
      const created: ThreadEvent = {
        type: "thread.created",
        threadId,
        at: createdAt,
        provider,
        cwd,
        title: "",
        providerOptions,
        settings
      }
      const events = [created, ...earlier, ...batches.flatMap((batch) => batch.events)]
      const logged = events.map((event, index) => ({ sequence: Sequence.make(index + 1), event }))
      const { items, turns } = ThreadProjection.apply(undefined, logged)
      return { items, turns }
    }
  }
}
