/** Requests in the transcript: what was said before a request, and before its answer, stands above it. */
import type { EventDraft } from "../profile/EventDraft.ts"
import * as EventSink from "./EventSink.ts"
import * as Strand from "./Strand.ts"

/** Session state that this file reads. */
interface State {
  readonly sink: EventSink.EventSink
  /** The strand that receives events now. */
  readonly current: Strand.Strand
  readonly replay: { readonly strand: Strand.Strand } | undefined
}

/** Adds the events of one change of a request. */
export const tell = ({ current, replay, sink }: State, drafts: ReadonlyArray<EventDraft>): void => {
  const last = drafts.at(-1)
  if (last !== undefined && endsText(last)) Strand.endText(replay?.strand ?? current, sink)
  for (const draft of drafts) EventSink.push(sink, draft)
}

/**
 * Whether an event ends the text before it. A withdrawal does not: it may come with the end of its turn, where open
 * text was cut off.
 */
const endsText = (draft: EventDraft): boolean =>
  opening.has(draft.type) || ("requestId" in draft && "outcome" in draft && draft.outcome.type === "answered")

const opening: ReadonlySet<EventDraft["type"]> = new Set([
  "approval.requested",
  "question.requested",
  "plan.proposed",
  "elicitation.requested"
])
