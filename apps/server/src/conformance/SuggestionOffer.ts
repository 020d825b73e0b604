/** What probes offer about suggestions of the next edit, and what the agent claims in return. */
import * as Lenient from "@signalbox/acp/Lenient"
import * as NesSchema from "@signalbox/acp/NesSchema"
import * as Result from "effect/Result"
import { type Json, objectIn } from "./Messages.ts"

/** Offers all kinds and encodings, as the editor of Signalbox does. */
export const everything: NesSchema.Offer = {
  nes: { jump: {}, rename: {}, searchAndReplace: {} },
  positionEncodings: ["utf-16", "utf-8", "utf-32"]
}

/** Offers edits only. Its first encoding is the one that fewest agents count in by themselves. */
export const editsOnly: NesSchema.Offer = { nes: {}, positionEncodings: ["utf-8", "utf-32", "utf-16"] }

/** What an agent says about suggestions in its answer to `initialize`. */
export interface SuggestionClaim {
  /** Whether it offers suggestions, however unreadable the offer is. */
  readonly isMade: boolean
  /** The events and the context that it wants. Undefined if it offers none, or if nobody can read the offer. */
  readonly wants: NesSchema.Capabilities | undefined
  /** Paths of what the schema does not allow in it. */
  readonly odd: ReadonlyArray<string>
}

const read = Lenient.reader(NesSchema.AgentCapabilities)

export const claimIn = (hello: Json): SuggestionClaim => {
  const capabilities = objectIn(hello, "agentCapabilities")
  const reading = read(capabilities)
  const isMade = (capabilities["nes"] ?? null) !== null
  if (Result.isFailure(reading)) return { isMade, wants: undefined, odd: ["nes"] }
  const { dropped, value } = reading.success
  return { isMade, wants: value.nes ?? undefined, odd: dropped.map(({ path }) => path) }
}

/** The events about documents that the agent wants. */
export const eventsIn = ({ wants }: SuggestionClaim) => wants?.events?.document ?? {}

/** Whether the agent keeps documents by events. Otherwise it knows only the texts of a question. */
export const keepsDocuments = (claim: SuggestionClaim): boolean => {
  const { didChange, didOpen } = eventsIn(claim)
  return Boolean(didOpen) || Boolean(didChange)
}

/** Whether the agent takes texts at all. Otherwise it can only read files. */
export const takesTexts = (claim: SuggestionClaim): boolean =>
  keepsDocuments(claim) || Boolean(claim.wants?.context?.recentFiles)
