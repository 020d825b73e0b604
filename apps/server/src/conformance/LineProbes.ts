/**
 * Examines all lines of all processes: messages outside of the schema, requests that were not offered, text outside of
 * turns.
 */
import * as SessionUpdates from "@signalbox/acp/SessionUpdates"
import { defaultMaxLineBytes } from "@signalbox/acp/LineSplitter"
import { deepest } from "@signalbox/acp/Nesting"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { Examinee } from "./Examinee.ts"
import { type Json, objectIn } from "./Messages.ts"
import { broken, type Finding, holds, type Probe, quirk, untried } from "./Probe.ts"
import type { Line, Wire } from "./Wire.ts"
import { named, wordOf } from "./WordOf.ts"

const methodIn = ({ message }: Line): { readonly method: string; readonly message: Json } | undefined =>
  Predicate.isObject(message) && typeof message["method"] === "string"
    ? { method: message["method"], message }
    : undefined

const isRequest = (message: Json): boolean => message["id"] !== undefined

/**
 * Notifications of the protocol besides `session/update`. Extensions begin with an underscore, and those about the
 * protocol itself with `$/`.
 */
const knownNotifications: ReadonlySet<string> = new Set(["elicitation/complete", "auth/status_update", "mcp/message"])

const notifications = (lines: ReadonlyArray<Line>): Finding => {
  const odd = new Set<string>()
  let count = 0
  for (const line of lines) {
    const found = methodIn(line)
    if (found === undefined || isRequest(found.message)) continue
    count += 1
    if (found.method === "session/update") for (const one of oddIn(found.message)) odd.add(one)
    else if (!/^(?:_|\$\/)/.test(found.method) && !knownNotifications.has(found.method)) odd.add(found.method)
  }
  if (count === 0) return untried("it sent none")
  return odd.size === 0
    ? holds(`${count} as the schema has them`)
    : quirk(`${odd.size} kinds outside of the schema`.replace(/^1 kinds/, "1 kind"), `${named(odd)}.`)
}

/** What the schema does not allow in an update: its kind, or the paths that were left out to read it. */
const oddIn = (message: Json): ReadonlyArray<string> => {
  const dropped: Array<string> = []
  const read = SessionUpdates.read({ method: "session/update", params: message["params"], line: 0 }, (parts) => {
    for (const { path } of parts) dropped.push(path.replace(/\[\d+\]/g, "[]"))
  })
  if (read._tag === "Unknown") return [read.kind ?? "an update without a kind"]
  return dropped.map((path) => `${path} of ${read.update.sessionUpdate}`)
}

/** Methods for files, terminals and forms. The probes' client offers none of them. */
const offered = /^(?:fs|terminal|elicitation)\//

const requests = (lines: ReadonlyArray<Line>): Finding => {
  const odd = new Set<string>()
  let count = 0
  for (const line of lines) {
    const found = methodIn(line)
    if (found === undefined || !isRequest(found.message)) continue
    count += 1
    if (offered.test(found.method)) odd.add(found.method)
  }
  if (odd.size > 0) return broken(named(odd), "It asks for what the client does not offer.")
  return holds(count === 0 ? "none" : `${count}, of what was offered`)
}

/** Characters. Many clients can't read longer lines. */
const long = 1024 * 1024

const length = (wires: ReadonlyArray<Wire>): Finding => {
  const tooDeep = wires.reduce((sum, wire) => sum + wire.unread().tooDeep, 0)
  const left = wires.reduce((sum, wire) => sum + wire.unread().left, 0)
  const longest = Math.max(0, ...wires.map((wire) => wire.longest()))
  const told = `up to ${longest >= 10_240 ? `${Math.round(longest / 1024)} KiB` : `${longest} characters`}`
  if (longest > defaultMaxLineBytes) return broken(told, "Such a line is read by no client; it is left out.")
  if (tooDeep > 0)
    return broken(
      `${tooDeep} nested too deep`,
      `Messages with more than ${deepest} levels are read by no client; they are left out.`
    )
  if (left > 0)
    return quirk(told, `It writes very many lines: ${left} more were not kept, and the report leaves them out.`)
  return longest > long ? quirk(told, "Many clients read no lines beyond 1 MiB.") : holds(told)
}

/** Text of a session before the first request that may cause text: a prompt or a load. */
const outside = (wires: ReadonlyArray<Wire>): Finding => {
  const pieces = wires.flatMap((wire) => {
    const begun = new Map<unknown, number>()
    for (const { method, sessionId, since } of wire.asked())
      if (/^session\/(?:prompt|load)$/.test(method) && !begun.has(sessionId)) begun.set(sessionId, since)
    return wire.lines().filter((line, index) => {
      const found = methodIn(line)
      if (found?.method !== "session/update") return false
      const params = objectIn(found.message, "params")
      const isText = wordOf(objectIn(params, "update")["sessionUpdate"]).endsWith("_chunk")
      return isText && index < (begun.get(params["sessionId"]) ?? Infinity)
    })
  })
  return pieces.length === 0
    ? holds("none")
    : quirk(
        `${pieces.length} ${pieces.length === 1 ? "piece" : "pieces"}`,
        "It sends text before anybody has prompted it."
      )
}

const probe = (name: string, capability: string, look: (examinee: Examinee) => Finding): Probe => ({
  probe: `lines/${name}`,
  area: "lines",
  capability,
  lane: "last",
  look: (examinee) => Effect.sync(() => look(examinee))
})

const linesOf = ({ wires }: Examinee): ReadonlyArray<Line> => wires().flatMap((wire) => wire.lines())

export const lineProbes: ReadonlyArray<Probe> = [
  probe("notifications", "Notifications", (examinee) => notifications(linesOf(examinee))),
  probe("requests", "Requests", (examinee) => requests(linesOf(examinee))),
  probe("outside", "Text outside of turns", ({ wires }) => outside(wires())),
  probe("length", "Length of lines", ({ wires }) => length(wires()))
]
