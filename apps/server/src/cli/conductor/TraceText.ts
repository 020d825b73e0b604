/** The events of a trace as lines for people. It keeps only the requests that wait for an answer, and not all of those. */
import type { TraceEvent, TraceNotification, TraceRequest, TraceResponse } from "@signalbox/conductor/TraceEvent"
import * as Predicate from "effect/Predicate"
import { oneLine } from "../../base/Plain.ts"

/** Requests that are remembered for the time that their answers take. */
const mostWaiting = 10_000

/** Characters of an agent's text that a line shows. */
const previewLength = 80

/** Foreign text of any length, as the beginning of one line. */
const shown = (text: string, width: number): string => oneLine(text.slice(0, 4 * width), width)

const quoted = (text: string): string => `"${shown(text, previewLength)}"`

const textOf = (content: unknown): string | undefined =>
  Predicate.isObject(content) && typeof content["text"] === "string" ? content["text"] : undefined

const memberOf = (value: unknown, name: string): unknown => (Predicate.isObject(value) ? value[name] : undefined)

/** What an update says, in a few words. */
const updateWords = (update: unknown): string => {
  const kind = memberOf(update, "sessionUpdate")
  const words = typeof kind === "string" ? shown(kind, 40).replaceAll("_", " ") : "an update"
  const text = textOf(memberOf(update, "content"))
  if (text !== undefined) return `${words} ${quoted(text)}`
  const title = memberOf(update, "title")
  const status = memberOf(update, "status")
  return [
    words,
    ...(typeof title === "string" ? [quoted(title)] : []),
    ...(typeof status === "string" ? [`(${shown(status, 20)})`] : [])
  ].join(" ")
}

const promptWords = (prompt: unknown): string => {
  if (!Array.isArray(prompt)) return ""
  const text = prompt.slice(0, 20).flatMap((block) => textOf(block)?.slice(0, 4 * previewLength) ?? [])
  return text.length === 0 ? "" : quoted(text.join(" "))
}

const paramsWords = ({ method, params }: TraceRequest | TraceNotification): string => {
  if (method === "session/update") return updateWords(memberOf(params, "update"))
  if (method === "session/prompt") return promptWords(memberOf(params, "prompt"))
  const name = memberOf(params, "name")
  return method === "tools/call" && typeof name === "string" ? quoted(name) : ""
}

const errorWords = (payload: unknown): string => {
  const code = memberOf(payload, "code")
  const message = memberOf(payload, "message")
  return [
    ...(typeof code === "number" ? [`error ${code}`] : ["an error"]),
    ...(typeof message === "string" ? [shown(message, 200)] : [])
  ].join(": ")
}

/** Seconds as people read them. */
const timeText = (seconds: number): string => {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`
  return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`
}

export interface Unanswered {
  readonly count: number
  /** Their methods, each once. */
  readonly methods: ReadonlyArray<string>
  /** Whether there were too many requests at once to remember them all. */
  readonly isPart: boolean
}

export interface TraceText {
  readonly line: (event: TraceEvent) => string
  /** What was not answered, of the requests that are remembered. */
  readonly unanswered: () => Unanswered
}

export const make = (): TraceText => {
  let isPart = false
  const waiting = new Map<string, { readonly ts: number; readonly words: string }>()

  const hopText = ({ from, to, ts }: TraceEvent): string =>
    `${ts.toFixed(3).padStart(9)}  ${`${shown(from, 20)} → ${shown(to, 20)}`.padEnd(20)}  `

  const methodText = (event: TraceRequest | TraceNotification): string => {
    const method = shown(event.method, 60)
    return [event.protocol === "mcp" ? `mcp ${method}` : method, paramsWords(event)].join("  ").trimEnd()
  }

  const answerText = ({ from, id, is_error, payload, to, ts }: TraceResponse): string => {
    const key = JSON.stringify([to, from, id])
    const request = waiting.get(key)
    waiting.delete(key)
    const name = request?.words ?? `request ${shown(String(id), 60)}`
    const time = request === undefined ? "" : ` after ${timeText(Math.max(0, ts - request.ts))}`
    if (is_error) return `${name}: failed${time}, ${errorWords(payload)}`
    const reason = memberOf(payload, "stopReason")
    return `${name}: answered${time}${typeof reason === "string" ? `, ${shown(reason, 40)}` : ""}`
  }

  const remember = ({ from, id, method, to, ts }: TraceRequest): void => {
    waiting.set(JSON.stringify([from, to, id]), { ts, words: shown(method, 60) })
    if (waiting.size <= mostWaiting) return
    isPart = true
    const [oldest] = waiting.keys()
    if (oldest !== undefined) waiting.delete(oldest)
  }

  return {
    line: (event) => {
      if (event.type === "response") return hopText(event) + answerText(event)
      if (event.type === "request") remember(event)
      return hopText(event) + methodText(event)
    },
    unanswered: () => ({
      count: waiting.size,
      methods: [...new Set([...waiting.values()].map(({ words }) => words))],
      isPart
    })
  }
}
