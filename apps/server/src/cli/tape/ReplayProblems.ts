/** The problems of a tape and of its replay, in words. */
import type { Problem } from "@signalbox/contracts/Problem"
import type { RecordedRun } from "../../replay/RecordedRun.ts"
import type { Ending } from "../../replay/Replay.ts"
import type { Place, TapeFault } from "../../tape/TapeReader.ts"
import { oneLine } from "../../base/Plain.ts"

export const faultProblem = ({ place, reason }: TapeFault): Problem => unplayable(place, reason)

/** The problem of a replay that ended differently from its tape. Undefined if both ended alike. */
export const endingProblem = (run: RecordedRun, ending: Ending): Problem | undefined => {
  switch (ending.type) {
    case "played":
      return undefined
    case "short":
      return {
        ...unplayable(run.fault?.place ?? run.last.place, ending.reason),
        title: "The tape does not say how it went on."
      }
    case "unstarted":
      return ending.onTape
        ? other(
            run,
            "The session did not start.",
            `On the tape it did. ${ending.problem.title} ${ending.problem.cause}`
          )
        : ending.problem
    case "diverged":
      return other(
        run,
        "Signalbox said something else than on the tape.",
        difference(ending.expected, ending.said),
        ending.expected?.place
      )
    case "silent":
      return other(
        run,
        "Signalbox did not go on as on the tape.",
        difference(ending.expected, undefined),
        ending.expected?.place
      )
    case "refused":
      return other(
        run,
        "Signalbox did not take what people did on the tape.",
        `${difference(ending.heard, undefined)}\n${ending.problem.title} ${ending.problem.cause}`,
        ending.heard.place
      )
    case "early":
      return other(
        run,
        "The session ended before the tape did.",
        "Signalbox ended it, or the process that plays the tape was killed."
      )
  }
}

const unplayable = ({ path }: Place, reason: string): Problem => ({
  code: "storage",
  title: "The tape can't be played to its end.",
  cause: reason,
  evidence: { path },
  nextSteps: []
})

const other = (run: RecordedRun, title: string, cause: string, place: Place = run.last.place): Problem => ({
  code: "internal",
  title,
  cause,
  evidence: { path: place.path },
  nextSteps: []
})

/** Messages may be megabytes long. */
const longest = 2_000

const difference = (expected: Extract<Ending, { type: "silent" }>["expected"], said: string | undefined): string =>
  [
    expected === undefined ? "The tape has nothing more." : `The tape has in line ${expected.place.line}:`,
    ...(expected === undefined ? [] : [`  ${oneLine(JSON.stringify(expected.message), longest)}`]),
    ...(said === undefined ? ["It said nothing."] : ["It said:", `  ${oneLine(said, longest)}`])
  ].join("\n")
