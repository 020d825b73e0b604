/** Events without a stamp: what happened, without the time and the session. */
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"

/** `Omit` for each member of a union separately. */
export type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never

type Stamp = "eventId" | "providerKind" | "providerSessionId" | "threadId" | "at" | "tapeLine"

/** An event before it is stamped. */
export type EventDraft = DistributiveOmit<ProviderRuntimeEvent, Stamp>
