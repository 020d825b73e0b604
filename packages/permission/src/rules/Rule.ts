/** A rule for requests of agents, as people write it in a rules file. */
import { ProjectPath } from "@signalbox/contracts/Settings"
import * as Schema from "effect/Schema"

/** What becomes of a request. `deny` beats `ask`, and `ask` beats `allow`. */
export const RuleEffect = Schema.Literals(["allow", "deny", "ask"])
export type RuleEffect = typeof RuleEffect.Type

const Text = Schema.NonEmptyString

/** What a request must be like. All members that are there must match; none at all match everything. */
export const Match = Schema.Struct({
  /** The id of the agent. `*` stands for any characters in every text of a match. */
  agent: Schema.optionalKey(Text),
  /** What the call does: a kind of tool call, such as `edit` or `execute`, or another of `RequestKind`. */
  kind: Schema.optionalKey(Text),
  /** The name of the tool, as the agent or its MCP server names it. */
  tool: Schema.optionalKey(Text),
  /**
   * A command, word by word: `pnpm vitest *`. `*` stands for any characters within one word, and `**` for any words. Without `**`, there
   * may be no further words.
   */
  command: Schema.optionalKey(Text),
  /**
   * A file or folder: absolute, behind `~/` or `${project}/`, anywhere (it begins with two stars), or relative to the folder of the rule.
   * `*` stands for any characters within one name, two stars for any folders.
   */
  path: Schema.optionalKey(Text),
  /** The name of an MCP server. */
  server: Schema.optionalKey(Text),
  /** The host of an address, such as `*.example.org`. */
  host: Schema.optionalKey(Text)
})
export type Match = typeof Match.Type

/** Where a rule holds. Default: `global`, and in a project's file the folder of the project. */
export const Scope = Schema.Union([
  Schema.Literal("global"),
  /** The folder of the rule. */
  Schema.Literal("workspace"),
  Schema.Struct({ workspace: ProjectPath }),
  Schema.Struct({ thread: Text }),
  Schema.Struct({ session: Text }),
  Schema.Struct({ sessionKind: Text })
])
export type Scope = typeof Scope.Type

/** How long a rule holds: for one request, until the session ends, or until a moment. Default: until it is removed. */
export const Until = Schema.Union([
  Schema.Literals(["once", "session"]),
  Schema.String.check(
    Schema.makeFilter((text) =>
      /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text))
        ? undefined
        : 'Expected "once", "session", or a date such as 2027-01-31'
    )
  )
])

/** A request, and what the rules of its file are to say of it. `signalbox rules test` tries it. */
export const Example = Schema.Struct({
  effect: RuleEffect,
  agent: Schema.optionalKey(Text),
  command: Schema.optionalKey(Schema.String),
  kind: Schema.optionalKey(Text),
  path: Schema.optionalKey(Text)
}).check(
  Schema.makeFilter(({ command, path }) =>
    (command === undefined) === (path === undefined) ? "Expected one of command and path" : undefined
  )
)
export type Example = typeof Example.Type

export const Rule = Schema.Struct({
  effect: RuleEffect,
  match: Match,
  scope: Schema.optionalKey(Scope),
  until: Schema.optionalKey(Until),
  /** A sentence for people: why the rule is there. */
  why: Schema.optionalKey(Schema.String),
  examples: Schema.optionalKey(Schema.Array(Example))
})
export type Rule = typeof Rule.Type

/** A rules file. */
export const RulesDocument = Schema.Struct({
  $schema: Schema.optionalKey(Schema.String),
  rules: Schema.Array(Rule)
})

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
  /** Where its relative paths begin. Undefined: in the folder of the request's session. */
  readonly folder: string | undefined
}
