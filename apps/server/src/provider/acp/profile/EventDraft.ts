/** Events that have no stamp yet: what happened, without when, where and to whom. */
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"

/** `Omit` for each member of a union by itself. */
export type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never

type Stamp = "eventId" | "providerKind" | "providerSessionId" | "threadId" | "at" | "tapeLine"

/** An event before it is stamped. */
export type EventDraft = DistributiveOmit<ProviderRuntimeEvent, Stamp>
