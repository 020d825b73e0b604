/** A line of a tape as a message between two places of a chain. 0 is Signalbox, then come the parts; the agent is last. */
import * as TraceEvent from "@signalbox/conductor/TraceEvent"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import { objectOf, textOf } from "../base/Json.ts"
import type { TapeLine } from "../tape/TapeReader.ts"
import { errorWords, jsonOf, memberOf, paramsWords, shown } from "./MessageWords.ts"

/** Longer texts are kept as their digests: agents choose them. */
const longestKept = 200

interface Common {
  readonly line: number
  readonly at: number
  readonly from: number
  readonly to: number
  /** What it says: the same on two hops if nothing was changed between them. Undefined if that can't be known. */
  readonly text: string | undefined
  readonly summary: string
}

export interface Said extends Common {
  readonly kind: "request" | "notification"
  readonly method: string
  readonly mcp: boolean
  /** Unique among the requests of its sender, and bounded. Empty for a notification. */
  readonly id: string
  readonly session: string | undefined
  /** Messages of the same one are shown as one: the kind of a piece of text. */
  readonly run: string | undefined
}

export interface Answered extends Common {
  readonly kind: "answer"
  readonly id: string
  readonly error: boolean
}

export type WireMessage = Said | Answered

/** The message of a line. Undefined if the line holds none. `agent`: the agent's place. */
export const of = (tape: TapeLine, agent: number): WireMessage | undefined => {
  const { at, line, message } = tape
  switch (tape.type) {
    case "in":
      return fromWire(message, { line, at, from: 1, to: 0 })
    case "out":
      return fromWire(message, { line, at, from: 0, to: 1 })
    case "hop":
      return Option.getOrUndefined(Option.map(readEvent(message), (event) => fromHop(event, { line, at }, agent)))
    case "err":
    case "note":
      return undefined
  }
}

type Place = Pick<Common, "line" | "at" | "from" | "to">

const fromWire = (message: unknown, place: Place): WireMessage | undefined => {
  if (!Predicate.isObject(message)) return undefined
  const { error, id, method, params, result } = objectOf(message)
  const name = id === undefined ? "" : bounded(jsonOf(id) ?? "")
  if (typeof method === "string") return said(method, params ?? null, id === undefined ? undefined : name, place)
  if (id === undefined) return undefined
  return answered(name, error === undefined ? result : error, error !== undefined, place)
}

const readEvent = Schema.decodeUnknownOption(TraceEvent.TraceEvent)

const fromHop = (
  event: TraceEvent.TraceEvent,
  { at, line }: Pick<Common, "line" | "at">,
  agent: number
): WireMessage => {
  const placeOf = (name: string): number => {
    const number = /^Proxy\((\d{1,4})\)$/.exec(name)?.[1]
    return number === undefined ? agent : Number(number) + 1
  }
  const place = { line, at, from: placeOf(event.from), to: placeOf(event.to) }
  if (event.type === "response") return answered(idIn(event.id), event.payload, event.is_error, place)
  const { method, params, protocol } = event
  return said(method, params, event.type === "request" ? idIn(event.id) : undefined, place, protocol === "mcp")
}

/** A trace puts the sender before an id, as `Proxy(0):7`. */
const idIn = (id: TraceEvent.TraceRequest["id"]): string => {
  const text = String(id)
  const sender = /^[A-Za-z0-9()]{1,20}:/.exec(text)?.[0] ?? ""
  return bounded(text.slice(sender.length))
}

const bounded = (text: string): string =>
  text.length <= longestKept ? text : `${text.slice(0, 40)}… ${createHash("sha1").update(text).digest("base64")}`

/** A bounded text that is the same for equal values. Undefined for what is nested too deep. */
const keyOf = (value: unknown): string | undefined => {
  const text = jsonOf(value)
  return text === undefined ? undefined : bounded(text)
}

const said = (method: string, params: unknown, id: string | undefined, place: Place, mcp = false): Said => {
  // The wire carries a message of MCP within one of its own.
  const inner = method === "mcp/message" && !mcp ? textOf(objectOf(params), "method") : undefined
  if (inner !== undefined) return said(inner, memberOf(params, "params") ?? null, id, place, true)
  const session = memberOf(params, "sessionId")
  const update = memberOf(memberOf(params, "update"), "sessionUpdate")
  const isPiece = method === "session/update" && typeof update === "string" && update.endsWith("_chunk")
  return {
    ...place,
    kind: id === undefined ? "notification" : "request",
    method: shown(method, 60),
    mcp,
    id: id ?? "",
    session: typeof session === "string" ? bounded(session) : undefined,
    run: isPiece ? shown(update, 40) : undefined,
    text: keyOf(params),
    summary: paramsWords({ method, params })
  }
}

const answered = (id: string, payload: unknown, error: boolean, place: Place): Answered => {
  const reason = memberOf(payload, "stopReason")
  const words = typeof reason === "string" ? shown(reason, 40) : ""
  return {
    ...place,
    kind: "answer",
    id,
    error,
    text: keyOf(payload ?? null),
    summary: error ? errorWords(payload) : words
  }
}
