/** How an agent speaks JSON-RPC, and how it begins (ACP v1, overview, transports, initialization). */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Connected, type Greeted, objectIn } from "./Examinee.ts"
import { afterBadLine, ignored, unknownMethod } from "./Liveness.ts"
import { broken, type Finding, holds, type Probe, quirk, withAgent, words } from "./Probe.ts"
import { type Answer, answers, type Line } from "./Wire.ts"

const probe = (name: string, capability: string, look: Probe["look"]): Probe => ({
  probe: `connection/${name}`,
  area: "connection",
  capability,
  look
})

/** The next number that a `double` can't tell from its neighbour. */
const bigId = "9007199254740993"

const badLine = (line: string, code: number, tells: string) =>
  Effect.fnUntraced(function* (agent: Greeted) {
    const { alive, answer } = yield* afterBadLine(agent, line)
    if (!alive) return broken("stops answering", "It does not get over it.")
    if (Option.isNone(answer)) return quirk("goes on, says nothing", `It does not answer ${tells} (${code}).`)
    const got = answer.value
    return got.type === "error" && got.code === code
      ? holds(`refused, ${code}`)
      : quirk(words(got), `The code for ${tells} is ${code}.`)
  })

const initialize = ({ hello, helloMs }: Greeted): Finding => {
  const { protocolVersion } = hello
  const seen =
    protocolVersion === 1
      ? holds("version 1")
      : broken(`version ${String(protocolVersion)}`, "It was asked for version 1, and answers with another.")
  return { ...seen, durationMs: helloMs }
}

const identity = ({ hello }: Greeted): Finding => {
  const { name, version } = objectIn(hello, "agentInfo")
  if (typeof name !== "string") return quirk("nothing", "It does not tell its name and version.")
  return typeof version === "string" ? holds(`${name} ${version}`) : quirk(name, "It does not tell its version.")
}

const futureVersion = 65_535

const ofFuture = (answer: Answer): Finding => {
  if (answer.type !== "result") {
    return quirk(words(answer), "A version that it does not know is to be answered with one that it does.")
  }
  const { protocolVersion } = answer.result
  if (protocolVersion === futureVersion) return broken("says that it speaks it", "It agrees to any version.")
  return typeof protocolVersion === "number"
    ? holds(`answers version ${protocolVersion}`)
    : broken("answers no version", "The answer to initialize holds no version.")
}

const beforeInitialize = (answer: Answer): Finding => {
  if (answer.type === "error") return holds(words(answer))
  if (answer.type === "result") return quirk("opens a session", "It does not wait for initialize.")
  return quirk(words(answer), "What comes before initialize is to be refused.")
}

const unknown = (answer: Answer): Finding => {
  if (answer.type === "error" && answer.code === -32601) return holds(words(answer))
  if (answer.type === "error") return quirk(words(answer), "The code for an unknown method is -32601.")
  return answer.type === "result"
    ? broken(words(answer), "It says that it did something that does not exist.")
    : broken(words(answer), "Whoever asks something unknown waits for ever.")
}

/** Asks with an id of this text, and sees how the id comes back. */
const idEcho = (id: string, lost: (line: Line) => boolean) =>
  Effect.fnUntraced(function* ({ wire }: Connected) {
    const same = ({ message, text }: Line) => answers(JSON.parse(id))({ message, text, at: 0 }) && text.includes(id)
    yield* wire.say(`{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(unknownMethod)},"params":{}}`)
    const line = yield* wire.next((line) => same(line) || lost(line), "3 seconds")
    if (Option.isNone(line)) return broken("no answer", "Requests with such an id are not answered.")
    return same(line.value) ? holds("comes back as it was") : quirk("comes back as another", "It changes the id.")
  })

export const connectionProbes: ReadonlyArray<Probe> = [
  probe(
    "initialize",
    "Answers initialize",
    withAgent((agent) => Effect.succeed(initialize(agent)))
  ),
  probe(
    "identity",
    "Says who it is",
    withAgent((agent) => Effect.succeed(identity(agent)))
  ),
  probe("future-version", "Version of the future", ({ fresh, introduction }) =>
    Effect.flatMap(fresh, ({ wire }) => Effect.map(wire.ask("initialize", introduction(futureVersion)), ofFuture))
  ),
  probe("before-initialize", "Before initialize", ({ folder, fresh, limits }) =>
    Effect.flatMap(fresh, ({ wire }) =>
      Effect.map(wire.ask("session/new", { cwd: folder, mcpServers: [] }, limits.tooEarly), beforeInitialize)
    )
  ),
  probe(
    "unknown-method",
    "Unknown request",
    withAgent(({ wire }) => Effect.map(wire.ask(unknownMethod, {}, "3 seconds"), unknown))
  ),
  probe("unknown-notification", "Unknown notification", withAgent(ignored("_signalbox/no_such_event", {}))),
  probe("cancel-unknown", "Cancel of no request", withAgent(ignored("$/cancel_request", { requestId: "none" }))),
  probe("string-id", "Ids that are texts", withAgent(idEcho('"signalbox-1"', () => false))),
  probe("big-id", "Ids beyond 2^53", withAgent(idEcho(bigId, answers(Number(bigId))))),
  probe(
    "malformed",
    "Lines that are no JSON",
    withAgent(badLine('{"jsonrpc":"2.0","id":', -32700, "a line that is no JSON"))
  ),
  probe(
    "batch",
    "Batches",
    withAgent(badLine(JSON.stringify([{ jsonrpc: "2.0", method: "_signalbox/no_such_event" }]), -32600, "a batch"))
  )
]
