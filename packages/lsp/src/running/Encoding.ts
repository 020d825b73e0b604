/**
 * Counts all places within a message in another encoding. A place is an object with `line` and `character`. Its file is that of the nearest
 * object around it with a uri. Without one it is the file that was asked about.
 */
import type { Lines, PositionEncoding } from "@signalbox/acp/Positions"
import * as Predicate from "effect/Predicate"

/** Finds the text of a file. Places in a file whose text isn't known stay as they are. */
export type TextOf = (uri: string) => Lines | undefined

/** Members that only the server understands. */
const opaque: ReadonlySet<string> = new Set(["data", "arguments"])

/** Members that are about the file that was asked about, although a uri stands beside them. */
const ofAsked: ReadonlySet<string> = new Set(["originSelectionRange"])

type Members = { readonly [key: PropertyKey]: unknown }

const isPlace = (value: Members): value is { readonly line: number; readonly character: number } =>
  typeof value["line"] === "number" && typeof value["character"] === "number"

/** The uri that an object is about. */
const uriIn = (value: Members): string | undefined => {
  for (const name of ["uri", "targetUri"]) if (typeof value[name] === "string") return value[name]
  const document = value["textDocument"]
  return Predicate.isObject(document) && typeof document["uri"] === "string" ? document["uri"] : undefined
}

/** All uris that places in the message are about. The depth is bounded by the wire. */
export const urisIn = (value: unknown, found: Set<string> = new Set()): Set<string> => {
  if (Array.isArray(value)) for (const item of value) urisIn(item, found)
  else if (Predicate.isObject(value)) {
    const uri = uriIn(value)
    if (uri !== undefined) found.add(uri)
    for (const [name, member] of Object.entries(value)) {
      if (opaque.has(name)) continue
      if (name === "changes" && Predicate.isObject(member)) for (const each of Object.keys(member)) found.add(each)
      urisIn(member, found)
    }
  }
  return found
}

export interface Conversion {
  readonly from: PositionEncoding
  readonly to: PositionEncoding
  readonly textOf: TextOf
  /** The file that was asked about. */
  readonly asked: string | undefined
}

/** The message with its places counted anew. */
export const converted = (value: unknown, conversion: Conversion): unknown => {
  const { asked, from, textOf, to } = conversion
  const walk = (value: unknown, around: string | undefined): unknown => {
    if (Array.isArray(value)) return value.map((item: unknown) => walk(item, around))
    if (!Predicate.isObject(value)) return value
    if (isPlace(value)) {
      const lines = around === undefined ? undefined : textOf(around)
      return lines === undefined ? value : Object.assign({}, value, lines.convert(value, from, to))
    }
    const uri = uriIn(value) ?? around
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        if (opaque.has(name)) return [name, member]
        if (name === "changes" && Predicate.isObject(member))
          return [name, Object.fromEntries(Object.entries(member).map(([file, edits]) => [file, walk(edits, file)]))]
        return [name, walk(member, ofAsked.has(name) ? asked : uri)]
      })
    )
  }
  return walk(value, asked)
}
