/**
 * A question about a package that a component has a researcher answer, in a session that the client never sees. It comes in `_meta` of a
 * tool call, which also says the same in plain text. Who knows nothing of research shows that.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Timestamp } from "./Ids.ts"

/** Bounds of a research. Texts are cut to these characters; of the steps, the latest ones stay. */
export const most = { name: 200, prompt: 2000, steps: 40, title: 200, findings: 8000 } as const

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const text = (characters: number) => Schema.String.check(Schema.isMaxLength(characters))

/** What the researcher did, as the agent reported it in the researcher's session. */
export const ResearchStep = Schema.Struct({
  at: Timestamp,
  title: text(most.title),
  /** The kind of the tool call, as the agent said. */
  kind: text(40),
  state: Schema.Literals(["running", "completed", "failed"]),
  /** Milliseconds that it took, once it is over. */
  ms: Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)))
})
export type ResearchStep = typeof ResearchStep.Type

export const Research = Schema.Struct({
  ecosystem: text(most.name),
  package: text(most.name),
  /** The version whose source is read. */
  version: text(most.name),
  /** What was asked. */
  prompt: text(most.prompt),
  steps: Schema.Array(ResearchStep).check(Schema.isMaxLength(most.steps)),
  /** How many earlier steps are left out. */
  left: Count,
  /** How many requests of the researcher were answered by the rule `approval`, without a person. */
  decided: Count,
  approval: Schema.Literals(["read-only", "fetch", "all"]),
  /** `late`: its time was over before it had ended. */
  state: Schema.Literals(["running", "completed", "late", "failed", "cancelled"]),
  /** What was found, or why nothing was. */
  findings: Schema.optionalKey(text(most.findings))
})
export type Research = typeof Research.Type

/** The member of a tool call's `_meta` that holds it. */
export const metaKey = "signalbox/research"

const decode = Schema.decodeUnknownOption(Research)

/** The research in `_meta` of a tool call. Undefined if there is none, or one that is malformed or too large. */
export const inMeta = (meta: { readonly [name: string]: unknown } | null | undefined): Research | undefined => {
  const said = meta?.[metaKey]
  return said === undefined ? undefined : Option.getOrUndefined(decode(said))
}

/** The number of all steps, with those that are left out. */
export const stepsOf = ({ left, steps }: Pick<Research, "left" | "steps">): number => left + steps.length
