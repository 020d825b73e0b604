/** What the rules make of a request, for people: the verdict, the rule behind it, and what each part of the request comes to. */
import * as Schema from "effect/Schema"

/** `deny` beats `ask`, and `ask` beats `allow`. */
export const RuleEffect = Schema.Literals(["allow", "deny", "ask"])
export type RuleEffect = typeof RuleEffect.Type

/** Names a rule, so that people find it again. */
export const RuleRef = Schema.Struct({
  /** A digest of what the rule says: 16 hexadecimal digits. The same words in another place of the file have the same one. */
  id: Schema.String,
  effect: RuleEffect,
  /** `built-in`: it can't be switched off. `user`: the person's own file. `project`: the file of a project. */
  source: Schema.Literals(["built-in", "user", "project"]),
  /** Absolute. Empty for a built-in rule. */
  file: Schema.String,
  /** From 1, when the request was judged. 0 for a built-in rule. */
  line: Schema.Int,
  /** The place among the rules of its file, from 1, when the request was judged. 0 for a built-in rule. */
  number: Schema.Int,
  /** The rule in words, such as `deny path ~/.ssh/**, everywhere`. */
  text: Schema.String
})
export type RuleRef = typeof RuleRef.Type

/** Begins the sentence about a part that no rule matches. */
export const noRuleMatches = "No rule matches"

const verdict = {
  effect: RuleEffect,
  /** The rule that decided. Absent if none did. */
  rule: Schema.optionalKey(RuleRef),
  /** A sentence. */
  why: Schema.String
}

/** A path of a request, and where it leads. */
const NotedPath = Schema.Struct({
  path: Schema.String,
  /** The path behind all links. Null where that can't be known. */
  leadsTo: Schema.NullOr(Schema.String),
  /** It leads out of the session's folders. */
  outside: Schema.optionalKey(Schema.Literal(true))
})

export const Judgement = Schema.Struct({
  ...verdict,
  /** Whether all that the request would run is known. */
  inspectable: Schema.Boolean,
  /** Sentences: why nobody can say what the request would run. */
  obstacles: Schema.optionalKey(Schema.Array(Schema.String)),
  /** How the request itself may leave this machine: a clause. It is a note, and no verdict. */
  leaves: Schema.optionalKey(Schema.String),
  /** The simple commands of a command line. */
  commands: Schema.Array(
    Schema.Struct({
      ...verdict,
      text: Schema.String,
      /** Whether it runs in the folders of the session. Null where that can't be known. */
      isInside: Schema.NullOr(Schema.Boolean),
      /** Arguments that lead elsewhere than they say, or out of the session's folders. */
      paths: Schema.optionalKey(Schema.Array(NotedPath)),
      /** How the command may leave this machine: a clause. It is a note, and no verdict. */
      leaves: Schema.optionalKey(Schema.String)
    })
  ),
  /** The files and folders of the request itself, and those that the shell opens. */
  paths: Schema.Array(
    Schema.Struct({
      ...verdict,
      path: Schema.String,
      /** The path behind all links. Null where that can't be known. */
      leadsTo: Schema.NullOr(Schema.String),
      access: Schema.Literals(["read", "write", "any"]),
      outside: Schema.optionalKey(Schema.Literal(true))
    })
  )
})
export type Judgement = typeof Judgement.Type
export type JudgedCommand = Judgement["commands"][number]
export type JudgedPath = Judgement["paths"][number]
