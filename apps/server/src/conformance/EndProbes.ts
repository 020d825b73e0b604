/** How an agent ends, what it leaves behind, and what it says beside the protocol. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { noLeftovers } from "../provider/Services/ProcessLedger.ts"
import * as Option from "effect/Option"
import { randomUUID } from "node:crypto"
import type { AgentExit, StopGrace } from "../provider/acp/AgentProfile.ts"
import { type Examinee, type Greeted, promptOf, sessionOf } from "./Examinee.ts"
import * as MarkedProcesses from "../provider/acp/MarkedProcesses.ts"
import { markOf } from "./ProbeMark.ts"
import { type Finding, holds, type Probe, quirk, untried, withAgent } from "./Probe.ts"

const patience: Duration.Input = "5 seconds"
/** Of one whose input has ended already. */
const atOnce: StopGrace = { closeInput: 0, terminate: "2 seconds" }

const code = ({ exitCode, signal }: AgentExit): string =>
  signal === undefined ? `exit code ${exitCode ?? "unknown"}` : `signal ${signal}`

/** Its input ends; whether it follows. */
const followsInput = Effect.fnUntraced(function* ({ process, wire }: Greeted, within: Duration.Input) {
  yield* wire.end
  const [took, exit] = yield* Effect.timed(Effect.timeoutOption(process.exited, within))
  if (Option.isNone(exit)) return quirk("stays", "It does not end with its input.")
  return { ...holds(code(exit.value)), durationMs: Math.round(Duration.toMillis(took)) }
})

const elsewhere = ({ launch }: Examinee): boolean => launch.remote !== undefined

const atHome =
  (look: Probe["look"]): Probe["look"] =>
  (examinee) =>
    elsewhere(examinee) ? Effect.succeed(untried("it runs elsewhere")) : look(examinee)

const input = ({ another }: Examinee) => Effect.flatMap(another(), (agent) => followsInput(agent, patience))

const inputAfterPrompt = Effect.fnUntraced(function* ({ another, limits }: Examinee) {
  const agent = yield* another({ stopGrace: atOnce })
  const session = sessionOf(agent, (yield* agent.opening).answer)
  if (Option.isNone(session)) return untried("it opens no session")
  yield* agent.wire.ask("session/prompt", promptOf(session.value, "Reply with the single word: done"), "2 minutes")
  return yield* followsInput(agent, limits.exitAfterPrompt)
})

const terminate = (group: number): void => {
  try {
    process.kill(-group, "SIGTERM")
  } catch {
    // It ended by itself.
  }
}

/** Its input stays open, so that it is the signal which ends it. */
const terminated = Effect.fnUntraced(function* ({ another }: Examinee) {
  const agent = yield* another()
  yield* agent.opening
  const { pid } = agent.process
  if (pid === undefined || agent.process.pipes() !== "open") return untried("it has ended by itself")
  terminate(pid)
  const [took, exit] = yield* Effect.timed(Effect.timeoutOption(agent.process.exited, patience))
  if (Option.isNone(exit)) return quirk("has to be killed", "It does not end when it is told to.")
  return { ...holds(code(exit.value)), durationMs: Math.round(Duration.toMillis(took)) }
})

/** Processes that it started, in its own group and elsewhere, and those of them that live after it. */
const leftBehind = Effect.fnUntraced(function* ({ another }: Examinee) {
  const mark = markOf(randomUUID())
  const agent = yield* another({ env: { [mark.name]: mark.value } })
  // Whatever becomes of the probe.
  yield* Effect.addFinalizer(() => Effect.sync(() => MarkedProcesses.end(mark.text)))
  yield* agent.opening
  const helpers = MarkedProcesses.find(mark.text).filter(({ pid }) => pid !== agent.process.pid).length
  // The rest of its group is ended with it, by us; and then what has left its group, which is told.
  const { leftovers = noLeftovers } = yield* agent.process.stop
  const left = leftovers.ended.length + leftovers.kept.length + leftovers.left.length
  if (left > 0) return quirk(`leaves ${left} behind`, "Processes that it started live on after it.")
  return holds(helpers === 0 ? "none" : `${helpers}, gone with it`)
})

const stdout = ({ wire }: Greeted): Finding => {
  const noise = wire.lines().filter(({ message }) => message === undefined).length
  return noise === 0
    ? holds("messages only")
    : quirk(`${noise} other lines`, "Standard output is for messages; it writes other lines to it.")
}

const stderr = ({ process }: Greeted): Finding => {
  const { stderrLines } = process.stderr()
  return holds(stderrLines === 0 ? "silent" : `${stderrLines} ${stderrLines === 1 ? "line" : "lines"}`)
}

const probe = (name: string, capability: string, look: Probe["look"]): Probe => ({
  probe: `end/${name}`,
  area: "end",
  capability,
  look
})

export const endProbes: ReadonlyArray<Probe> = [
  probe(
    "stdout",
    "Standard output",
    withAgent((agent) => Effect.succeed(stdout(agent)))
  ),
  probe(
    "stderr",
    "Standard error",
    withAgent((agent) => Effect.succeed(stderr(agent)))
  ),
  probe("input", "When its input ends", atHome(input)),
  {
    ...probe("input-after-prompt", "The same after a prompt", atHome(inputAfterPrompt)),
    model: true,
    limit: "3 minutes"
  },
  probe("terminated", "When told to end", atHome(terminated)),
  probe("processes", "Processes beside it", atHome(leftBehind))
]
