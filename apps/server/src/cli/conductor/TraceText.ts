/** The events of a trace as lines for people. It keeps only the requests that wait for an answer, and not all of those. */
import type { TraceEvent, TraceNotification, TraceRequest, TraceResponse } from "@signalbox/conductor/TraceEvent"
import { errorWords, memberOf, paramsWords, shown } from "../../wire/MessageWords.ts"

/** Requests that are remembered for the time that their answers take. */
const mostWaiting = 10_000

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

/** An event in a few words of bounded length, without hidden characters. */
export interface TraceRow {
  readonly ts: number
  readonly from: string
  readonly to: string
  readonly words: string
  readonly type: TraceEvent["type"]
  readonly isError: boolean
  /** Names a request among those that wait for an answer. */
  readonly key?: string
}

/** A row as a line of a terminal. */
export const lineOf = ({ from, to, ts, words }: TraceRow): string =>
  `${ts.toFixed(3).padStart(9)}  ${`${from} → ${to}`.padEnd(20)}  ${words}`

/** Methods of unanswered requests that are named. */
const mostNamed = 10

/** A sentence about requests that were not answered; none if there are none. */
export const unansweredWords = ({ count, isPart, methods }: Unanswered): ReadonlyArray<string> => {
  if (count === 0) return []
  const named = `${methods.slice(0, mostNamed).join(", ")}${methods.length > mostNamed ? " …" : ""}`
  const requests = count === 1 ? "1 request was" : `${count} requests were`
  return [`${isPart ? "At least " : ""}${requests} not answered: ${named}`]
}

export interface TraceText {
  /** Reads the next event. Its answer needs the request to have been read before. */
  readonly row: (event: TraceEvent) => TraceRow
  /** Whether the request with this key waits for its answer, as far as is known. */
  readonly isWaiting: (key: string) => boolean
  /** What was not answered, of the requests that are remembered. */
  readonly unanswered: () => Unanswered
}

export const make = (): TraceText => {
  let isPart = false
  const waiting = new Map<string, { readonly ts: number; readonly words: string }>()

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

  /** Returns the key under which the request waits. */
  const remember = ({ from, id, method, to, ts }: TraceRequest): string => {
    const key = JSON.stringify([from, to, id])
    waiting.set(key, { ts, words: shown(method, 60) })
    if (waiting.size > mostWaiting) {
      isPart = true
      const [oldest] = waiting.keys()
      if (oldest !== undefined) waiting.delete(oldest)
    }
    return key
  }

  const row: TraceText["row"] = (event) => {
    const { from, to, ts, type } = event
    const hop = { ts, from: shown(from, 20), to: shown(to, 20), type }
    if (event.type === "response") return { ...hop, words: answerText(event), isError: event.is_error }
    const words = { ...hop, words: methodText(event), isError: false }
    return event.type === "request" ? { ...words, key: remember(event) } : words
  }

  return {
    row,
    isWaiting: (key) => waiting.has(key),
    unanswered: () => ({
      count: waiting.size,
      methods: [...new Set([...waiting.values()].map(({ words }) => words))],
      isPart
    })
  }
}
