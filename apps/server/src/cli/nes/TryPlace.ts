/** The file and the cursor that `signalbox nes try` is given, and the workspace around them. */
import * as Positions from "@signalbox/acp/Positions"
import { isWithin } from "@signalbox/contracts/Paths"
import { codeOf, isMissing, reasonOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import { readFile, realpath, stat } from "node:fs/promises"
import { dirname, relative, resolve } from "node:path"
import * as ByteOrderMark from "../../base/ByteOrderMark.ts"
import { longestText } from "../../editing/Documents.ts"
import { failedWith, usage } from "../terminal/Failure.ts"
import { ExitCode } from "../terminal/ExitCode.ts"

const command = "nes try"

export interface TryFlags {
  readonly file: string
  readonly line: number
  readonly column: number
}

export interface TryPlace {
  /** The folder of the workspace, absolute and without links. */
  readonly root: string
  /** Absolute, as it was named: the list of what is never sent goes by this name, too. */
  readonly path: string
  /** The path in the workspace, for diffs. */
  readonly name: string
  /** Without the byte order mark, which no column counts. */
  readonly text: string
  /** The byte order mark of the file, or nothing. */
  readonly mark: string
  readonly position: Positions.Position
}

/** Reads the file. Fails if it can't be read as text, and for a cursor that is not in it. */
export const of = Effect.fn("TryPlace.of")(function* ({ column, file, line }: TryFlags) {
  if (line < 1 || column < 1) return yield* usage(command, "--line and --column count from 1.")
  const given = resolve(file)
  const { cwd, path } = yield* Effect.tryPromise({
    try: async () => {
      const [cwd, folder] = await Promise.all([realpath(process.cwd()), realpath(dirname(given))])
      return { cwd, path: resolve(folder, given.slice(dirname(given).length).replace(/^\/+/, "")) }
    },
    catch: (error) => unusable(given, error)
  })
  const root = isWithin(cwd, path) ? cwd : dirname(path)
  const { mark, text } = ByteOrderMark.parted(yield* textOf(path))
  const lines = Positions.of(text)
  if (line > lines.count)
    return yield* usage(
      command,
      `--line ${line}: ${given} has ${lines.count === 1 ? "one line" : `${lines.count} lines`}.`
    )
  const position = lines.positionAt(lines.offsetAt({ line: line - 1, character: column - 1 }))
  const place: TryPlace = { root, path, name: relative(root, path), text, mark, position }
  return place
})

const textOf = Effect.fnUntraced(function* (path: string) {
  const read = <A>(what: () => Promise<A>) => Effect.tryPromise({ try: what, catch: (error) => unusable(path, error) })
  const info = yield* read(() => stat(path))
  if (info.isDirectory()) return yield* usage(command, `${path} is a folder.`)
  if (!info.isFile()) return yield* usage(command, `${path} is no file.`)
  if (info.size > longestText) return yield* noText(path, "It is longer than 2 MiB.")
  const bytes = yield* read(() => readFile(path))
  return yield* Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
    catch: () => noText(path, "It is no text in UTF-8.")
  }).pipe(
    Effect.filterOrFail(
      (text) => !text.includes("\0"),
      () => noText(path, "It is no text: it has a byte of zero.")
    )
  )
})

/** Nothing at a path is a mistake in the command line. Anything else is the state of the machine. */
const unusable = (path: string, error: unknown) => {
  if (isMissing(error)) return usage(command, `${path} does not exist.`)
  const code = codeOf(error)
  const isForbidden = code === "EACCES" || code === "EPERM"
  return failedWith(
    {
      code: "unsupported",
      title: "The file can't be read.",
      cause: isForbidden ? "This user may not read it." : `The system refuses it: ${reasonOf(error)}.`,
      evidence: { path },
      nextSteps: isForbidden ? [{ action: "run-command", label: "Let this user read the file and its folders" }] : []
    },
    ExitCode.failed
  )
}

const noText = (path: string, cause: string) =>
  failedWith(
    {
      code: "unsupported",
      title: "Nothing can be suggested for this file.",
      cause,
      evidence: { path },
      nextSteps: []
    },
    ExitCode.failed
  )
