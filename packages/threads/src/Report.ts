/** What a thread reports of itself, before it has its place in the log. */
import type { OrchestrationEvent } from "@signalbox/contracts/ThreadEvent"

type WithoutPlace<Event> = Event extends OrchestrationEvent ? Omit<Event, "threadId" | "at"> : never
/** An event, but for whose and when. */
export type Report = WithoutPlace<OrchestrationEvent>
