/** A rule for requests of agents, as people write it in a rules file. */
import * as Schema from "effect/Schema"
import { RuleEffect } from "./Judgement.ts"
import { ProjectPath } from "./ProjectPath.ts"

const Text = Schema.NonEmptyString

const described = (description: string) => Schema.optionalKey(Text).annotate({ description })

/** What a request must be like. All members that are there must match; none at all match everything. */
export const Match = Schema.Struct({
  agent: described("The id of the agent. * stands for any characters in every text of a match."),
  kind: described("What the call does: read, edit, delete, move, search, execute, fetch or another kind of request."),
  tool: described("The name of the tool, as the agent or its MCP server names it."),
  command: described(
    "A command, word by word, such as pnpm vitest **. * stands for any characters within one word, and ** for any words. Without **, there may be no further words. Quotes hold a word together."
  ),
  path: described(
    "A file or folder: absolute, behind ~/ or ${project}/, anywhere (it begins with **/), or relative to the folder of the rule. * stands for any characters within one name, and ** for any folders."
  ),
  server: described("The name of an MCP server."),
  host: described("The host of an address, such as *.example.org.")
})
export type Match = typeof Match.Type

/** The place in which a rule holds. Default: `global`, and in a project's file the folder of the project. */
const Scope = Schema.Union([
  Schema.Literal("global"),
  Schema.Literal("workspace").annotate({ description: "In the folder of the rule, and below it." }),
  Schema.Struct({ workspace: ProjectPath }).annotate({ description: "In this absolute folder, and below it." }),
  Schema.Struct({ thread: Text }),
  Schema.Struct({ session: Text }),
  Schema.Struct({ sessionKind: Text })
])

/** How long a rule holds: for one request, until the session ends, or until a moment. Default: until it is removed. */
const Until = Schema.Union([
  Schema.Literals(["once", "session"]),
  Schema.String.check(
    Schema.makeFilter((text) =>
      /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text))
        ? undefined
        : 'Expected "once", "session", or a date such as 2027-01-31'
    )
  ).annotate({
    description: "A moment, such as 2027-01-31 or 2027-01-31T18:00:00+01:00. A date alone ends as it begins, in UTC."
  })
])

/** A request, and what the rules of its file are to say of it. `signalbox rules test` tries it. */
export const Example = Schema.Struct({
  effect: RuleEffect.annotate({ description: "What is expected." }),
  agent: described("The id of the agent that asks."),
  command: Schema.optionalKey(Schema.String).annotate({ description: "A command line, as an agent asks for it." }),
  kind: described("What is done with the path. Default: edit."),
  path: described("A file or folder that is asked for, instead of a command.")
}).check(
  Schema.makeFilter(({ command, path }) =>
    (command === undefined) === (path === undefined) ? "Expected one of command and path" : undefined
  )
)
export type Example = typeof Example.Type

export const Rule = Schema.Struct({
  effect: RuleEffect.annotate({ description: "What becomes of a request. deny beats ask, and ask beats allow." }),
  match: Match.annotate({
    description: "What a request must be like. All members that are there must match; none at all match everything."
  }),
  scope: Schema.optionalKey(Scope).annotate({
    description: "Where it holds. Default: global, and in the file of a project the folder of the project."
  }),
  until: Schema.optionalKey(Until).annotate({
    description:
      "How long it holds: for one request, until the session ends, or until a moment. Default: until it is removed."
  }),
  why: Schema.optionalKey(Schema.String).annotate({ description: "A sentence for people: why the rule is there." }),
  examples: Schema.optionalKey(Schema.Array(Example)).annotate({
    description: "Requests, and what the rules of this file are to say of them. signalbox rules test tries them."
  })
})
export type Rule = typeof Rule.Type
