/** The rules files of this machine as pages show them, and the changes that pages make. */
import * as Schema from "effect/Schema"
import { ThreadId } from "./Ids.ts"
import { RuleRef } from "./Judgement.ts"
import { Rule } from "./Rule.ts"

/** A fault or a warning, and its place in the file. */
const RulesFinding = Schema.Struct({
  line: Schema.Int,
  column: Schema.Int,
  /** The value that is meant, such as `rules[3].match.command`. Empty for the whole file. */
  path: Schema.String,
  /** One or two sentences, without the last full stop. */
  message: Schema.String
})

/**
 * Whether a rule decides anything. `ignored`: a project can't allow. `over`: its time has passed. `used`: it held
 * for one request. `untrusted`: the person
 * does not trust the file.
 */
export const RuleState = Schema.Literals(["in-force", "ignored", "over", "used", "untrusted"])
export type RuleState = typeof RuleState.Type

/** A rule where it stands. */
export const ListedRule = Schema.Struct({
  ref: RuleRef,
  rule: Rule,
  state: RuleState,
  /** The match in words, such as `command pnpm vitest **`. */
  what: Schema.String,
  /** The place in which it holds, in words, such as `in /home/ann/shop`. */
  where: Schema.String,
  /** Sentences without their full stop. */
  warnings: Schema.Array(Schema.String)
})
export type ListedRule = typeof ListedRule.Type

export const RulesFileReport = Schema.Struct({
  /** Absolute. */
  path: Schema.String,
  source: Schema.Literals(["user", "project"]),
  /** The folder of the project. */
  folder: Schema.optionalKey(Schema.String),
  /** `untrusted`: the person does not trust this content. `faulty`: nothing that it says now is in force. */
  state: Schema.Literals(["missing", "unreadable", "faulty", "untrusted", "in-force"]),
  /** Why the system refuses to read it: a clause without a full stop. */
  refusal: Schema.optionalKey(Schema.String),
  /** SHA-256 of its bytes, in hexadecimal digits. */
  hash: Schema.optionalKey(Schema.String),
  /** `changed`: another content of the file is trusted. */
  trust: Schema.optionalKey(Schema.Literals(["trusted", "changed", "never"])),
  faults: Schema.Array(RulesFinding),
  /** Its rules. If it is faulty or unreadable now, those that were read before and are still in force. */
  rules: Schema.Array(ListedRule)
})
export type RulesFileReport = typeof RulesFileReport.Type

/** The person's own file comes first. */
export const RulesReport = Schema.Struct({ files: Schema.Array(RulesFileReport) })
export type RulesReport = typeof RulesReport.Type

/** The place in which a rule is to hold: one thread, a folder and all below it, or everywhere. */
export const RulePlace = Schema.Union([
  Schema.Struct({ type: Schema.tag("thread"), threadId: ThreadId }),
  Schema.Struct({ type: Schema.tag("folder"), folder: Schema.String }),
  Schema.Struct({ type: Schema.tag("always") })
])
export type RulePlace = typeof RulePlace.Type

/** A rule for the person's own file. */
export const NewRule = Schema.Struct({
  rule: Rule,
  /** Becomes the scope of the rule, in place of the one that it has. */
  place: Schema.optionalKey(RulePlace)
})
export type NewRule = typeof NewRule.Type

export const AddedRule = Schema.Struct({
  ref: RuleRef,
  /** Warnings about the new rule: sentences without their full stop. */
  warnings: Schema.Array(Schema.String)
})
export type AddedRule = typeof AddedRule.Type

/** A command line, as an agent would ask for it in a folder. */
export const CommandToExplain = Schema.Struct({
  command: Schema.String,
  agent: Schema.String,
  /** The folder of the session, absolute. */
  cwd: Schema.String,
  /** With it, rules for this thread count, too. */
  threadId: Schema.optionalKey(ThreadId)
})
export type CommandToExplain = typeof CommandToExplain.Type
