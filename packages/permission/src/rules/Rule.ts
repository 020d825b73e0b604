/** A rules file, and rules with their place in it. */
import { Rule } from "@signalbox/contracts/Rule"
import * as Schema from "effect/Schema"

/** A rules file. */
export const RulesDocument = Schema.Struct({
  $schema: Schema.optionalKey(Schema.String).annotate({ description: "Where an editor finds this schema." }),
  rules: Schema.Array(Rule).annotate({ description: "The rules. Their order does not matter." })
}).annotate({ title: "Rules of Signalbox" })

/** A rule that is in force, and where it stands. */
export interface PlacedRule extends Rule {
  /** `built-in`: it can't be switched off. `user`: the person's own file. `project`: the project's file, which can only narrow. */
  readonly source: "built-in" | "user" | "project"
  /** The file, absolute. Empty for a built-in rule. */
  readonly file: string
  /** From 1, in the file. 0 for a built-in rule. */
  readonly line: number
  /** The place among the rules of its file, from 1. */
  readonly number: number
  /** The folder in which its relative paths begin. Undefined: in the folder of the request's session. */
  readonly folder: string | undefined
}
