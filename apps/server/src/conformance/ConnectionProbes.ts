/** How an agent speaks JSON-RPC, and how it begins (ACP v1, overview, transports, initialization). */
import * as Effect from "effect/Effect"
import * as Duration from "effect/Duration"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type { Examinee } from "./Examinee.ts"
import type { Greeted } from "./OpenSession.ts"
import { afterBadLine, ignored, stopped } from "./Aftermath.ts"
import { liveness, unknownMethod } from "./Liveness.ts"
import { objectIn } from "./Messages.ts"
import {
  broken,
  type Finding,
  holds,
  type Probe,
  quirk,
  refusing,
  saying,
  showing,
  type Telling,
  untried,
  withAgent,
  words
} from "./Probe.ts"
import { type Answer, answers, type Line, type Wire } from "./Wire.ts"
import { wordOf } from "./WordOf.ts"

const probe = (name: string, capability: string, look: Probe["look"]): Probe => ({
  probe: `connection/${name}`,
  area: "connection",
  capability,
  look
})

/** The first whole number that a `double` can't distinguish from its neighbour. */
const bigId = "9007199254740993"

const badLine = (line: string, code: number, tells: string) =>
  Effect.fnUntraced(function* (agent: Greeted, examinee: Examinee) {
    const { answer, state } = yield* afterBadLine(agent, examinee, line)
    if (state !== "lives") return stopped(state, examinee)
    if (Option.isNone(answer)) return quirk("goes on, says nothing", `It does not answer ${tells} (${code}).`)
    const got = answer.value
    return got.type === "error" && got.code === code
      ? holds(`refused, ${code}`)
      : saying(got, quirk(words(got), `The code for ${tells} is ${code}.`))
  })

const initialize = ({ hello, helloMs }: Greeted): Finding => {
  const { protocolVersion } = hello
  const seen =
    protocolVersion === 1
      ? holds("version 1")
      : broken(`version ${wordOf(protocolVersion)}`, "It was asked for version 1, and answers with another.")
  return { ...seen, durationMs: helloMs }
}

const identity = ({ hello }: Greeted): Finding => {
  const { name, version } = objectIn(hello, "agentInfo")
  if (typeof name !== "string") return quirk("nothing", "It does not report its name and version.")
  return typeof version === "string" ? holds(`${name} ${version}`) : quirk(name, "It does not report its version.")
}

const futureVersion = 65_535

const ofFuture = showing((answer): Finding => {
  if (answer.type !== "result") {
    return quirk(words(answer), "A version that it does not know is to be answered with one that it does.")
  }
  const { protocolVersion } = answer.result
  if (protocolVersion === futureVersion) return broken("says that it speaks it", "It agrees to any version.")
  return typeof protocolVersion === "number"
    ? holds(`answers version ${protocolVersion}`)
    : broken("answers no version", "The answer to initialize holds no version.")
})

const future = Effect.fnUntraced(function* ({ fresh, introduction, limits }: Examinee) {
  const { wire } = yield* fresh
  const { answer, started } = yield* beforeHello(wire, "initialize", introduction(futureVersion), introduction, limits)
  return answer.type === "silence" && started
    ? quirk("no answer", "A version that it does not know is to be answered with one that it does.")
    : ofFuture(answer)
})

/**
 * Sends a request before `initialize`. After a silence, it sends `initialize`. If that is answered, the process had
 * started, so it has ignored the first request.
 */
const beforeHello = Effect.fnUntraced(function* (
  wire: Wire,
  method: string,
  params: unknown,
  introduction: Examinee["introduction"],
  limits: Examinee["limits"]
) {
  const asked = yield* Effect.forkChild(wire.ask(method, params, "1 hour"))
  const early = yield* Effect.timeoutOption(Fiber.join(asked), limits().first)
  if (Option.isSome(early)) return { answer: early.value, started: true }
  const hello = yield* wire.ask("initialize", introduction(1), limits().first)
  const started = hello.type === "result" || hello.type === "error"
  const late = yield* Effect.timeoutOption(Fiber.join(asked), started ? limits().refusal : 0)
  yield* Fiber.interrupt(asked)
  const silence: Answer = { type: "silence", waitedMs: 2 * Duration.toMillis(limits().first) }
  return { answer: Option.getOrElse(late, () => silence), started }
})

const ofEarly = (answer: Telling): Finding => {
  if (answer.type === "error") return holds(words(answer))
  if (answer.type === "result") return quirk("opens a session", "It does not wait for initialize.")
  return quirk(words(answer), "What comes before initialize is to be refused.")
}

const beforeInitialize = Effect.fnUntraced(function* ({ agent, folder, fresh, introduction, limits }: Examinee) {
  const usual = yield* (yield* agent).opening
  const { wire } = yield* fresh
  const params = { cwd: folder, mcpServers: [] }
  const { answer, started } = yield* beforeHello(wire, "session/new", params, introduction, limits)
  return answer.type === "silence" && started
    ? quirk("no answer", "What comes before initialize is to be refused.")
    : refusing(usual, ofEarly)(answer)
})

const unknown = Effect.fnUntraced(function* (agent: Greeted, examinee: Examinee) {
  const answer = yield* agent.wire.ask(unknownMethod, {}, examinee.limits().refusal)
  if (answer.type === "silence")
    return yield* unanswered(agent, examinee, "A client that calls an unknown method waits forever.")
  if (answer.type === "error" && answer.code === -32601) return holds(words(answer))
  if (answer.type === "error") return saying(answer, quirk(words(answer), "The code for an unknown method is -32601."))
  return answer.type === "result"
    ? broken(words(answer), "It says that it did something that does not exist.")
    : broken(words(answer), "It ends when it is asked something unknown.")
})

/** The finding for a request without an answer. It is a fault only if the agent answers a later request. */
const unanswered = (agent: Greeted, examinee: Examinee, sentence: string) =>
  Effect.map(liveness(agent, examinee), (state): Finding =>
    state === "lives" ? broken("no answer", sentence) : stopped(state, examinee)
  )

/** Sends a request with this id, and compares the id of the answer. */
const idEcho = (id: string, lost: (line: Line) => boolean) =>
  Effect.fnUntraced(function* (agent: Greeted, examinee: Examinee) {
    const { wire } = agent
    const same = ({ message, text }: Line) => answers(JSON.parse(id))({ message }) && text.includes(id)
    yield* wire.say(`{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(unknownMethod)},"params":{}}`)
    const line = yield* wire.next((line) => same(line) || lost(line), examinee.limits().refusal)
    if (Option.isSome(line))
      return same(line.value) ? holds("comes back as it was") : quirk("comes back as another", "It changes the id.")
    // Sends the same request with a usual id, to see whether the id is the reason.
    const usual = yield* wire.ask(unknownMethod, {}, examinee.limits().refusal)
    if (usual.type === "silence") return untried("it answers no unknown request")
    return broken("no answer", "Requests with such an id are not answered.")
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
  { ...probe("future-version", "Version of the future", future), lane: "own" },
  { ...probe("before-initialize", "Before initialize", beforeInitialize), lane: "own" },
  probe("unknown-method", "Unknown request", withAgent(unknown)),
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
