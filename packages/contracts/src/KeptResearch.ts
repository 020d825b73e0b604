/** Questions about packages that researchers have answered in a folder, as the history of `package-sources` keeps them. */
import * as Schema from "effect/Schema"
import { Timestamp } from "./Ids.ts"

/** The most questions of one list, and the most characters of one of them and of what was found. */
export const most = { listed: 50, prompt: 4000, findings: 20_000 } as const

export const KeptResearch = Schema.Struct({
  id: Schema.String,
  /** When it was answered. */
  at: Timestamp,
  ecosystem: Schema.String,
  package: Schema.String,
  /** The version whose source was read. */
  version: Schema.String,
  /** What was asked. A longer question ends with `…`. */
  prompt: Schema.String,
  /** What was found, as Markdown. Empty if the researcher found nothing in its time. */
  findings: Schema.String,
  /** How many characters of the findings are left out. */
  left: Schema.Int,
  /** Whether its time was over before it had ended. */
  timedOut: Schema.Boolean
})
export type KeptResearch = typeof KeptResearch.Type

export const KeptResearchList = Schema.Struct({
  /** Latest first. */
  research: Schema.Array(KeptResearch),
  /** Sentences: what of the history could not be read. */
  unread: Schema.Array(Schema.String)
})
export type KeptResearchList = typeof KeptResearchList.Type
