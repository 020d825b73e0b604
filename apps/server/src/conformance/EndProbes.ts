/** How an agent ends, which processes it leaves behind, and what it writes outside of the protocol. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { randomUUID } from "node:crypto"
import type { AgentExit } from "../provider/agent/AgentExit.ts"
import type { Examinee } from "./Examinee.ts"
import type { Greeted } from "./OpenSession.ts"
import * as MarkedProcesses from "@signalbox/process/MarkedProcesses"
import { seconds } from "./Limits.ts"
import { markOf } from "./ProbeMark.ts"
import { type Finding, holds, type Probe, quirk, untried, withAgent, withoutSession } from "./Probe.ts"

const code = ({ exitCode, signal }: AgentExit): string =>
  signal === undefined ? `exit code ${exitCode ?? "unknown"}` : `signal ${signal}`

const atHome =
  (look: Probe["look"]): Probe["look"] =>
  (examinee) =>
    examinee.launch.remote === undefined ? look(examinee) : Effect.succeed(untried("it runs elsewhere"))

/** Whether the agent exits when its input ends. */
const input = Effect.fnUntraced(function* ({ another, limits }: Examinee) {
  const { process, wire } = yield* another()
  yield* wire.end
  const within = limits().exit
  const [took, exit] = yield* Effect.timed(Effect.timeoutOption(process.exited, within))
  if (Option.isNone(exit)) return quirk("stays", `It does not end within ${seconds(within)} after its input.`)
  return { ...holds(code(exit.value)), durationMs: Math.round(Duration.toMillis(took)) }
})

const inputAfterPrompt = Effect.fnUntraced(function* (examinee: Examinee) {
  const turn = yield* examinee.turn
  if (Option.isNone(turn)) return yield* withoutSession(examinee)
  const { exit } = turn.value
  if (Option.isNone(exit))
    return quirk("stays", `It does not end within ${seconds(examinee.limits().exitAfterPrompt)} after its input.`)
  return { ...holds(code(exit.value.exit)), durationMs: exit.value.durationMs }
})

/** Sends SIGTERM. `target`: the id of a process, or a negative number for a group. */
const terminate = (target: number): void => {
  try {
    process.kill(target, "SIGTERM")
  } catch {
    // The process has ended already.
  }
}

/**
 * Whether SIGTERM ends the agent. Its input stays open, so only the signal can end it. The signal goes to its process
 * first, as other clients send it, then to its group, as Signalbox does.
 */
const terminated = Effect.fnUntraced(function* ({ another, limits }: Examinee) {
  const agent = yield* another()
  yield* agent.opening
  const { pid } = agent.process
  if (pid === undefined || agent.process.pipes() !== "open") return untried("it has ended by itself")
  const within = limits().exit
  const signalled = (target: number) =>
    Effect.timed(
      Effect.suspend(() => {
        terminate(target)
        return Effect.timeoutOption(agent.process.exited, within)
      })
    )
  const [tookAlone, alone] = yield* signalled(pid)
  if (Option.isSome(alone)) return { ...holds(code(alone.value)), durationMs: Math.round(Duration.toMillis(tookAlone)) }
  const [took, exit] = yield* signalled(-pid)
  const waited = `SIGTERM to its first process did not end it within ${seconds(within)}`
  if (Option.isNone(exit))
    return quirk("has to be killed", `${waited}, and SIGTERM to its group did not within as many more.`)
  const durationMs = Math.round(Duration.toMillis(took))
  return { ...quirk(`with its group: ${code(exit.value)}`, `${waited}; SIGTERM to its whole group did.`), durationMs }
})

/** Which of the agent's processes live on after it, in its group and elsewhere. */
const leftBehind = Effect.fnUntraced(function* ({ another }: Examinee) {
  const mark = markOf(randomUUID())
  const agent = yield* another({ [mark.name]: mark.value })
  // Also if the probe fails or is interrupted.
  yield* Effect.addFinalizer(() => Effect.sync(() => MarkedProcesses.end(mark.text)))
  yield* agent.opening
  const helpers = MarkedProcesses.find(mark.text).filter(({ pid }) => pid !== agent.process.pid).length
  // `end` also ends the rest of its group, then processes that have left the group. The latter are reported.
  const { leftBehind: left } = yield* agent.end
  return left.length > 0 ? leaving(left) : holds(helpers === 0 ? "none" : `${helpers}, ended with its group`)
})

const leaving = (left: ReadonlyArray<string>): Finding =>
  quirk(`leaves ${left.length} behind`, `Processes outside of its group live on after it: ${left.join(", ")}.`)

/** Some agents start lasting processes only with the first prompt. */
const leftAfterPrompt = Effect.fnUntraced(function* (examinee: Examinee) {
  const turn = yield* examinee.turn
  if (Option.isNone(turn)) return yield* withoutSession(examinee)
  const { leftBehind } = turn.value.end
  return leftBehind.length > 0 ? leaving(leftBehind) : holds("none")
})

const stdout = ({ wire }: Greeted): Finding => {
  const noise = wire.lines().filter(({ message }) => message === undefined).length
  return noise === 0
    ? holds("messages only")
    : quirk(
        `${noise} other ${noise === 1 ? "line" : "lines"}`,
        "Standard output is for messages; it writes other lines to it."
      )
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
  {
    ...probe(
      "stdout",
      "Standard output",
      withAgent((agent) => Effect.succeed(stdout(agent)))
    ),
    lane: "last"
  },
  {
    ...probe(
      "stderr",
      "Standard error",
      withAgent((agent) => Effect.succeed(stderr(agent)))
    ),
    lane: "last"
  },
  { ...probe("input", "Its input closed", atHome(input)), lane: "own" },
  {
    ...probe("input-after-prompt", "The same after a prompt", atHome(inputAfterPrompt)),
    model: true,
    limit: "5 minutes"
  },
  { ...probe("terminated", "SIGTERM, input open", atHome(terminated)), lane: "own" },
  { ...probe("processes", "Processes beside it", atHome(leftBehind)), lane: "own" },
  {
    ...probe("processes-after-prompt", "The same after a prompt", atHome(leftAfterPrompt)),
    model: true,
    limit: "5 minutes"
  }
]
