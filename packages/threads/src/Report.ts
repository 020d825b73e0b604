/** An event of a thread before it has its place in the log. */
import type { OrchestrationEvent } from "@signalbox/contracts/ThreadEvent"

type WithoutPlace<Event> = Event extends OrchestrationEvent ? Omit<Event, "threadId" | "at"> : never
/** An event without its thread and time. */
export type Report = WithoutPlace<OrchestrationEvent>
