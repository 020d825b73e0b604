/** What the rules looked at, as the audit log keeps it: the commands and paths of a request, as they were when it was judged. */
import type { Subject } from "@signalbox/permission/rules/Subject"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const Text = Schema.String

const Word = Schema.Union([
  Schema.Struct({ type: Schema.tag("literal"), value: Text }),
  Schema.Struct({ type: Schema.tag("pattern"), text: Text, folder: Text, below: Schema.Array(Text) }),
  Schema.Struct({ type: Schema.tag("home"), rest: Text }),
  Schema.Struct({ type: Schema.tag("unknown"), text: Text, isNumber: Schema.optionalKey(Schema.Literal(true)) })
])

const NamedPath = Schema.Struct({
  path: Text,
  said: Schema.NullOr(Text),
  leadsTo: Schema.NullOr(Text),
  access: Schema.Literals(["read", "write", "any"]),
  below: Schema.optionalKey(Schema.Array(Text)),
  isDoubtful: Schema.optionalKey(Schema.Literal(true)),
  guard: Schema.optionalKey(Schema.Struct({ effect: Schema.Literals(["deny", "ask"]), why: Text }))
})

const Command = Schema.Struct({
  words: Schema.Array(Word),
  text: Text,
  isInside: Schema.NullOr(Schema.Boolean),
  folder: NamedPath,
  paths: Schema.Array(NamedPath)
})

const RecordedSubject = Schema.fromJsonString(
  Schema.Struct({
    agent: Text,
    kind: Text,
    tool: Schema.optionalKey(Text),
    server: Schema.optionalKey(Text),
    host: Schema.optionalKey(Text),
    commands: Schema.optionalKey(Schema.Array(Command)),
    paths: Schema.Array(NamedPath),
    obstacles: Schema.Array(Schema.Struct({ text: Text, why: Text })),
    place: Schema.Struct({
      project: Text,
      home: Text,
      thread: Schema.optionalKey(Text),
      session: Schema.optionalKey(Text),
      sessionKind: Schema.optionalKey(Text),
      now: Schema.Finite
    })
  })
)

// A member that is not known here would be judged as if it were not there.
const decode = Schema.decodeUnknownOption(RecordedSubject, { onExcessProperty: "error" })

/** A longer one is not kept. */
const longest = 64 * 1024

/** Undefined if it is too long to be kept. */
export const textOf = (subject: Subject): string | undefined => {
  const text = JSON.stringify(subject)
  return text.length <= longest ? text : undefined
}

/** Undefined if the text is not one that `textOf` has written. */
export const read = (text: string): Subject | undefined => Option.getOrUndefined(decode(text))
