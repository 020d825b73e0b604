/** Finds a recording and looks at it: a file, or the beginning of a name in the state folder. */
import { isMissing, messageOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import { recordingsIn } from "../../base/StateDirectory.ts"
import * as RecordingFolder from "../../recording/RecordingFolder.ts"
import * as RecordingReader from "../../recording/RecordingReader.ts"
import { bytesText } from "../terminal/Amount.ts"
import { ExitCode } from "../terminal/ExitCode.ts"
import { failedWith, usage } from "../terminal/Failure.ts"
import { oneLine } from "../../base/Plain.ts"

const command = "nes replay"

/** Characters of a name that have to be given at least. */
const shortest = 4
/** Most recordings that are offered. */
const mostOffered = 10

/** The overview of a recording that can be played here. */
export const of = Effect.fn("ReplayChoice.of")(function* (given: string, directory: string) {
  const overview = yield* RecordingReader.look(yield* pathOf(given, directory)).pipe(Effect.mapError(unplayable))
  if (overview.questions === 0)
    return yield* unplayable({ path: overview.path, message: "No agent is asked for suggestions in it." })
  for (const root of overview.begun.roots)
    if (!(yield* isFolder(root)))
      return yield* failedWith(
        {
          code: "cwd-unusable",
          title: "The recording can't be played here.",
          cause: "The folder that was edited is not there. The agent starts in it.",
          evidence: { path: root },
          nextSteps: []
        },
        ExitCode.failed
      )
  return overview
})

const pathOf = Effect.fnUntraced(function* (given: string, directory: string) {
  const path = resolve(given)
  if ((yield* kindOf(path)) !== undefined) return path
  const recordings = yield* RecordingFolder.list(recordingsIn(directory)).pipe(
    Effect.mapError((reason) => unplayable({ path: recordingsIn(directory), message: `${reason}.` }))
  )
  const found =
    given.length < shortest
      ? recordings.filter(({ name }) => name === given)
      : recordings.filter(({ name }) => name.startsWith(given))
  const [one, ...more] = found
  if (one !== undefined && more.length === 0) return one.path
  const word = oneLine(given, 80)
  const offered = (found.length > 0 ? found : recordings).toReversed().slice(0, mostOffered).map(nameText)
  if (one !== undefined)
    return yield* usage(command, `${word} is the beginning of ${found.length} recordings. The latest are:`, offered)
  return yield* usage(
    command,
    offered.length > 0
      ? `There is no recording ${word}. The latest are:`
      : `There is no recording ${word}. "suggestions": {"record": true} in the settings makes some.`,
    offered
  )
})

const nameText = ({ bytes, name }: RecordingFolder.RecordingEntry): string => `${oneLine(name)}  (${bytesText(bytes)})`

const kindOf = (path: string) =>
  Effect.tryPromise({
    try: async () => ((await stat(path)).isDirectory() ? "folder" : "file"),
    catch: (error) => (isMissing(error) ? undefined : unplayable({ path, message: `${messageOf(error)}.` }))
  }).pipe(Effect.catch((problem) => (problem === undefined ? Effect.undefined : Effect.fail(problem))))

const isFolder = (path: string) => Effect.map(kindOf(path), (kind) => kind === "folder")

/** The failure for a recording that is damaged, or is none. */
export const unplayable = ({ message, path }: Pick<RecordingReader.RecordingFault, "message" | "path">) =>
  failedWith(
    {
      code: "storage",
      title: "The recording can't be played.",
      cause: message,
      evidence: { path },
      nextSteps: []
    },
    ExitCode.failed
  )
