/** What went with a question, part by part, by the message as it left. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { count } from "../../words/figures.ts"

export interface SentPart {
  readonly name: string
  /** How many there are, and the files that they are about. */
  readonly words: string
  readonly bytes: number
}

export interface SentParts {
  readonly parts: ReadonlyArray<SentPart>
  /** What the agent takes no part of. */
  readonly notWanted: ReadonlyArray<string>
}

const read = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Struct({
      params: Schema.Struct({
        context: Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(Schema.Unknown)))
      })
    })
  )
)
const readFile = Schema.decodeUnknownOption(Schema.Struct({ uri: Schema.String }))

/** Most files of a part that are named. */
const mostNamed = 4

const kinds = [
  ["editHistory", "Edits", "edit as a diff", "edits as diffs"],
  ["recentFiles", "Recent files", "whole text", "whole texts"],
  ["openFiles", "Open files", "name, with the lines in sight", "names, with the lines in sight"],
  ["relatedSnippets", "Related", "file with the same names", "files with the same names"],
  ["diagnostics", "Findings", "finding", "findings"],
  ["userActions", "Actions", "step, without its text", "steps, without their text"]
] as const

const encoder = new TextEncoder()

/**
 * `json`: the message. Undefined if it can't be read. An agent that takes a part gets it with each question, even an empty one.
 */
export const sentParts = (json: string): SentParts | undefined => {
  const message = Option.getOrUndefined(read(json))
  if (message === undefined) return undefined
  const context = new Map(Object.entries(message.params.context ?? {}))
  const parts: Array<SentPart> = []
  const notWanted: Array<string> = []
  for (const [field, name, one, several] of kinds) {
    const entries = context.get(field)
    if (entries === undefined) {
      notWanted.push(name)
      continue
    }
    const files = [...new Set(entries.flatMap((entry) => Option.match(readFile(entry), whose)))]
    const named = files.slice(0, mostNamed).join(", ")
    const more = files.length > mostNamed ? ` and ${files.length - mostNamed} more` : ""
    parts.push({
      name,
      words: entries.length === 0 ? "none" : `${count(entries.length, one, several)}: ${named}${more}`,
      bytes: encoder.encode(JSON.stringify(entries)).length
    })
  }
  return { parts, notWanted }
}

const whose = { onNone: () => [], onSome: ({ uri }: { readonly uri: string }) => [nameOf(uri)] }

/** The name of the file of an address. One that can't be read stays as it is. */
const nameOf = (uri: string): string => {
  const name = uri.slice(uri.lastIndexOf("/") + 1)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
