/** `signalbox replay`: plays a tape through the real adapters. */
import type { Problem } from "@signalbox/contracts/Problem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as TemporaryFolder from "../../base/TemporaryFolder.ts"
import * as Replay from "../../compose/Replay.ts"
import * as Reel from "../../replay/Reel.ts"
import type { RecordedRun } from "../../replay/RecordedRun.ts"
import type { Ending } from "../../replay/Replay.ts"
import * as StableIds from "../../replay/StableIds.ts"
import * as WholeText from "../../replay/WholeText.ts"
import { countText } from "../terminal/Amount.ts"
import { ExitCode } from "../terminal/ExitCode.ts"
import { usage } from "../terminal/Failure.ts"
import * as Printer from "../terminal/Printer.ts"
import { escaped } from "../terminal/JsonText.ts"
import { problemShown } from "../terminal/ProblemText.ts"
import { endingProblem, faultProblem } from "./ReplayProblems.ts"
import * as ReplayText from "./ReplayText.ts"
import { signals } from "../terminal/Signals.ts"
import * as TapeChoice from "./TapeChoice.ts"
import * as Stdout from "../terminal/Stdout.ts"
import type * as Terminal from "../terminal/Terminal.ts"
import * as StateFolder from "../server/StateFolder.ts"

export interface ReplayFlags {
  readonly stateDir: Option.Option<string>
  readonly json: boolean
  readonly speed: Option.Option<number>
  readonly tape: string
}

/** Receives what a replay produces, and prints it. */
interface Output extends Pick<Replay.Options, "tell" | "onBegin"> {
  readonly end: () => void
}

export const replayTape = Effect.fn("ReplayTape")(function* ({ json, speed, stateDir, tape }: ReplayFlags) {
  const pace = Option.getOrUndefined(speed)
  if (pace !== undefined && !(pace > 0)) return yield* usage("replay", "--speed takes a number greater than 0.")
  const tapes = yield* TapeChoice.choose("replay", tape, yield* StateFolder.of(stateDir))
  const folder = yield* TemporaryFolder.make("replay")
  const reel = yield* Effect.tryPromise({
    try: () =>
      Reel.load(
        tapes.map(({ parts }) => parts),
        folder
      ),
    catch: TapeChoice.unreadable(tapes[0]?.parts[0] ?? tape)
  })

  const { terminal, written } = Stdout.streamed()
  const output = json ? asJson(terminal) : asText(terminal)
  const problems: Array<Problem> = []
  const complain = (problem: Problem) => {
    problems.push(problem)
    output.end()
    terminal.err(problemShown(problem))
  }
  const played = yield* Effect.raceFirst(
    Effect.as(
      Replay.replay(reel, {
        ...output,
        folder,
        speed: pace,
        onEnd: (run, ending) => endingProblems(run, ending).forEach(complain)
      }),
      true
    ),
    Effect.as(stopped, false)
  )
  output.end()
  yield* written
  for (const fault of reel.faults) complain(faultProblem(fault))
  if (!played) process.exitCode = ExitCode.cancelled
  else if (problems.length > 0) process.exitCode = ExitCode.failed
  else if (!json) terminal.aside(`Replayed as recorded: ${extent(reel.runs)}.`)
}, Effect.scoped)

const stopped = Effect.scoped(Effect.flatMap(signals, Queue.take))

const asText = (terminal: Terminal.Terminal): Output => {
  const text = ReplayText.make(terminal, Printer.text(terminal))
  return { tell: text.print, onBegin: text.begin, end: () => {} }
}

/** Prints a replay as JSON. One tape always gives the same bytes, so that two replays can be compared. */
const asJson = (terminal: Terminal.Terminal): Output => {
  const ids = StableIds.make()
  const whole = WholeText.make()
  const print = (events: ReturnType<typeof whole.end>) =>
    terminal.out(events.map((event) => `${escaped(ids.json(event))}\n`).join(""))
  return { tell: (events) => print(whole.push(events)), onBegin: () => {}, end: () => print(whole.end()) }
}

const endingProblems = (run: RecordedRun, ending: Ending): ReadonlyArray<Problem> => {
  const problem = endingProblem(run, ending)
  return problem === undefined ? [] : [problem]
}

const extent = (runs: ReadonlyArray<RecordedRun>): string => {
  const count = (of: (run: RecordedRun) => number) => runs.reduce((sum, run) => sum + of(run), 0)
  const turns = count(({ heard }) => [...heard.values()].filter(({ act }) => act?.type === "prompt").length)
  const lines = count(({ heard, said }) => heard.size + said.length)
  return [countText(runs.length, "session"), countText(turns, "turn"), countText(lines, "line")].join(", ")
}
