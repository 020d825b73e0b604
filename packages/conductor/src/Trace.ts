/**
 * Records what a chain passes on: each message of each hop once, as a line of JSON without secrets.
 *
 * `proxy/successor` is unwrapped. `mcp/message` stands under the method of the MCP message that it carries. Ids get their sender's name,
 * since two senders may use the same one. {@link ./TraceEvent.ts} describes the lines.
 */
import * as ExactJson from "@signalbox/acp/ExactJson"
import type { RawAnswer } from "@signalbox/acp/RawMessage"
import * as Redaction from "@signalbox/redaction/Redaction"
import type { Secrets } from "@signalbox/redaction/Secrets"
import * as Predicate from "effect/Predicate"
import type { Observer, Words } from "./Observer.ts"
import * as Position from "./Position.ts"
import type { TraceNotification, TraceProtocol, TraceRequest, TraceResponse } from "./TraceEvent.ts"

export interface Options {
  /** How many proxies the chain has. */
  readonly proxies: number
  /** Seconds since the trace began. */
  readonly now: () => number
  /** Secrets that are taken out, besides those of a known form. */
  readonly secrets: Secrets
  /** Gets each line, without a line break. */
  readonly write: (line: string) => void
}

/** What an event says, and which part of the message is the value of its last member. */
interface Said {
  readonly protocol: TraceProtocol
  readonly method: string
  readonly params: unknown
  /** `params` as JSON text, which keeps numbers of 64 bits. */
  readonly text: string
  /** Whether its answer carries the outcome of the MCP message as a member. */
  readonly isCarrier: boolean
}

interface Json {
  readonly value: unknown
  readonly text: string
}

/** JSON text with its value. What is no JSON, as components in this process may write it, is one text. */
const jsonOf = (text: string): Json => {
  try {
    return { value: ExactJson.parse(text), text }
  } catch {
    return { value: text, text: JSON.stringify(text) }
  }
}

/** A value as JSON text. Undefined if it is nested too deep for that. */
const textOf = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const saidIn = (words: Words): Said => {
  const { method } = words
  const { text, value: params } = jsonOf(words.params ?? "null")
  if (method === "mcp/message" && Predicate.isObject(params) && typeof params["method"] === "string") {
    const inner = params["params"] ?? null
    const innerText = textOf(inner)
    // What can't be taken out of its envelope stands with it.
    if (innerText !== undefined)
      return {
        protocol: "mcp",
        method: params["method"],
        params: inner,
        text: innerText,
        isCarrier: "requestId" in params
      }
  }
  return { protocol: "acp", method, params, text, isCarrier: false }
}

interface Outcome {
  readonly domain: TraceProtocol | undefined
  readonly payload: unknown
  readonly text: string
}

/** The outcome of an MCP message stands in a member of the answer that carries it. */
const carriedIn = (carrier: unknown): Outcome | undefined => {
  if (!Predicate.isObject(carrier)) return undefined
  const { error, result } = carrier
  const domain = result === undefined ? "mcp" : undefined
  const payload = result ?? error
  const text = textOf(payload)
  return text === undefined ? undefined : { domain, payload, text }
}

const outcomeOf = (answer: RawAnswer, isCarrier: boolean): Outcome => {
  const { text, value: payload } = jsonOf("error" in answer ? answer.error : answer.result)
  if ("error" in answer) return { domain: "acp", payload, text }
  return (isCarrier ? carriedIn(payload) : undefined) ?? { domain: undefined, payload, text }
}

const sessionIn = (params: unknown): { readonly session?: string } =>
  Predicate.isObject(params) && typeof params["sessionId"] === "string" ? { session: params["sessionId"] } : {}

export const make = ({ now, proxies, secrets, write }: Options): Observer => {
  /** Requests that carry MCP messages and wait for their answers, by their ids in the trace. */
  const carriers = new Set<string>()

  const nameOf = (position: number): string => {
    if (position === Position.client) return "Client"
    return position < proxies ? `Proxy(${position})` : "Agent"
  }
  const idOf = (sender: number, id: string): string => `${nameOf(sender)}:${id}`
  const ts = (): number => Math.round(now() * 1e6) / 1e6

  /** The method with which a conductor initializes a proxy, whatever the proxy's spelling. */
  const methodAt = (method: string, to: number): string =>
    method === "initialize" && to >= 0 && to < proxies ? "proxy/initialize" : method

  /** Writes an event whose last member has this text. */
  const append = (event: TraceRequest | TraceResponse | TraceNotification, member: string, text: string): void => {
    const { [member]: _, ...head }: { readonly [name: string]: unknown } = { ...event }
    const line = `${JSON.stringify(head).slice(0, -1)},"${member}":${text.replaceAll(/[\r\n]/g, " ")}}`
    write(secrets.without(Redaction.message(event, line)))
  }

  return {
    request: (from, to, id, words) => {
      const { isCarrier, method, params, protocol, text } = saidIn(words)
      const named = idOf(from, id)
      if (isCarrier) carriers.add(named)
      const event: TraceRequest = {
        type: "request",
        ts: ts(),
        protocol,
        from: nameOf(from),
        to: nameOf(to),
        id: named,
        method: methodAt(method, to),
        ...sessionIn(params),
        params
      }
      append(event, "params", text)
    },
    notification: (from, to, words) => {
      const { method, params, protocol, text } = saidIn(words)
      const event: TraceNotification = {
        type: "notification",
        ts: ts(),
        protocol,
        from: nameOf(from),
        to: nameOf(to),
        method,
        ...sessionIn(params),
        params
      }
      append(event, "params", text)
    },
    response: (from, to, id, answer) => {
      const named = idOf(to, id)
      const { domain, payload, text } = outcomeOf(answer, carriers.delete(named))
      const event: TraceResponse = {
        type: "response",
        ts: ts(),
        from: nameOf(from),
        to: nameOf(to),
        id: named,
        is_error: domain !== undefined,
        ...(domain !== undefined && { error_domain: domain }),
        payload
      }
      append(event, "payload", text)
    }
  }
}
