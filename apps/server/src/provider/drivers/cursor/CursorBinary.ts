/**
 * Cursor's command line program: `cursor-agent`, or `agent` as it is called now. Other agents install an `agent` too (Grok's
 * does), so a program counts only when its `--version` looks like Cursor's.
 */
import type { CursorOptions } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import type { ProviderError } from "../../../base/ProviderError.ts"
import * as BinaryErrors from "./BinaryErrors.ts"
import { childEnvironment } from "./CursorEnvironment.ts"
import * as CursorVersion from "./CursorVersion.ts"
import { type Environment, HostEnvironment } from "../HostEnvironment.ts"
import * as Probe from "../Probe.ts"

export interface CursorBinary {
  /** The absolute path at which it was found, without following symbolic links. */
  readonly path: string
  readonly version: CursorVersion.CursorVersion
}

/** The names, in the order of the search. */
export const names = ["cursor-agent", "agent"] as const

const versionTimeout = "10 seconds"

type Requirements = FileSystem.FileSystem | Path.Path | ChildProcessSpawner

/**
 * The verified program that threads would use. The first that passes counts; if none does, the first failure is the
 * error.
 */
export const find = Effect.fn("CursorBinary.find")(function* (
  options: CursorOptions = {}
): Effect.fn.Return<CursorBinary, ProviderError, Requirements> {
  return yield* firstVerified(yield* locate(options), options)
})

/** The first program that is Cursor's. `paths` are in the order of preference. */
export const firstVerified = Effect.fnUntraced(function* (
  paths: ReadonlyArray<string>,
  options: CursorOptions
): Effect.fn.Return<CursorBinary, ProviderError, ChildProcessSpawner | Path.Path> {
  let failure: ProviderError | undefined
  for (const path of paths) {
    const binary = yield* Effect.result(verify(path, options))
    if (binary._tag === "Success") return binary.success
    failure ??= binary.failure
  }
  return yield* failure ?? BinaryErrors.notFound(options, [])
})

/**
 * The programs that could be Cursor's, in the order in which they are tried: named, existing and executable. Never
 * empty.
 */
export const locate = Effect.fn("CursorBinary.locate")(function* (
  options: CursorOptions = {}
): Effect.fn.Return<ReadonlyArray<string>, ProviderError, FileSystem.FileSystem | Path.Path> {
  const host = yield* HostEnvironment
  const path = yield* Path.Path
  const folders = searchPath({ ...host, ...options.env }, path)
  const chosen = options.binaryPath
  const candidates =
    chosen === undefined
      ? names.flatMap((name) => folders.map((folder) => path.join(folder, name)))
      : chosen.includes(path.sep)
        ? [path.resolve(homeExpanded(chosen, host))]
        : folders.map((folder) => path.join(folder, chosen))
  const found: Array<string> = []
  let blocked: string | undefined
  for (const candidate of candidates) {
    const state = yield* stateOf(candidate)
    if (state === "executable") found.push(candidate)
    else if (state === "blocked") blocked ??= candidate
  }
  if (found.length > 0) return found
  return yield* blocked === undefined ? BinaryErrors.notFound(options, folders) : BinaryErrors.notExecutable(blocked)
})

/** Asks the program at `path` for its version. */
export const verify = Effect.fn("CursorBinary.verify")(function* (
  path: string,
  options: CursorOptions = {}
): Effect.fn.Return<CursorBinary, ProviderError, ChildProcessSpawner | Path.Path> {
  const printed = yield* Probe.run(yield* program(path, ["--version"], options), versionTimeout).pipe(
    Effect.mapError((error) =>
      error._tag === "NotStarted" ? BinaryErrors.notStarted(error) : BinaryErrors.hangs(error)
    )
  )
  if (printed.exitCode !== 0) return yield* BinaryErrors.stopped(path, printed)
  const version = CursorVersion.parse(printed.stdout)
  if (version === undefined) return yield* BinaryErrors.notRecognised(path, printed)
  if (CursorVersion.isTooOld(version)) return yield* BinaryErrors.tooOld(path, version)
  return { path, version }
})

/**
 * Runs the program outside of a session, in the root folder. Cursor reads `.cursor/cli.json` of the folder that it
 * starts in, and a project's error there says nothing about the program.
 */
export const program = Effect.fnUntraced(function* (
  path: string,
  args: ReadonlyArray<string>,
  options: CursorOptions
): Effect.fn.Return<Probe.Program, never, Path.Path> {
  const host = yield* HostEnvironment
  const paths = yield* Path.Path
  return { path, args, cwd: paths.parse(path).root, env: { ...host, ...childEnvironment(host, options.env) } }
})

/** The absolute folders of PATH. Relative ones are left out, since they depend on each process's folder. */
const searchPath = (env: Environment, path: Path.Path): ReadonlyArray<string> => {
  const separator = path.sep === "\\" ? ";" : ":"
  return [...new Set((env["PATH"] ?? "").split(separator))].filter((folder) => path.isAbsolute(folder))
}

const homeExpanded = (path: string, env: Environment): string =>
  path.startsWith("~/") && env["HOME"] !== undefined ? `${env["HOME"]}${path.slice(1)}` : path

const anyExecute = 0o111

const stateOf = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  // A file that can't be read counts as missing.
  const info = yield* Effect.option(fs.stat(path))
  if (Option.isNone(info) || info.value.type !== "File") return "missing" as const
  return (info.value.mode & anyExecute) === 0 ? ("blocked" as const) : ("executable" as const)
})
