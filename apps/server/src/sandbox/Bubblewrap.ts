/** Finds bubblewrap, and tries whether it can make a sandbox on this machine. */
import type { NextStep } from "@signalbox/contracts/Problem"
import { Refused } from "@signalbox/contracts/Refused"
import { isWithin } from "@signalbox/contracts/Paths"
import * as ProgramFile from "@signalbox/process/ProgramFile"
import { isMissing, messageOf } from "@signalbox/system/SystemError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import { readFile, realpath, stat } from "node:fs/promises"
import * as Layers from "./Layers.ts"
import { noSandbox } from "./SandboxRefused.ts"

export interface Bubblewrap {
  /** Absolute, without links. */
  readonly path: string
  readonly version: string
}

export interface Options {
  /** Folders that the sandboxed program writes: bubblewrap must not be one of its files. */
  readonly writable: ReadonlyArray<string>
  /** The search path for programs. Default: ours. */
  readonly path?: string | undefined
}

const install: NextStep = {
  action: "run-command",
  label: "Install bubblewrap 0.8 or later, and try again",
  command: "sudo apt-get install bubblewrap"
}

/** The oldest one that has `--disable-userns`. */
const oldest = [0, 8] as const

/** Milliseconds for each of its short runs. */
const patience = 20_000

const setUserId = 0o4000

/** Versions of the programs that have made a sandbox, by what a changed program does not keep. */
const Tried: Context.Reference<Map<string, string>> = Context.Reference<Map<string, string>>(
  "@signalbox/server/sandbox/Bubblewrap/Tried",
  { defaultValue: () => new Map() }
)

/** The bubblewrap of this machine, once it has made a sandbox. Fails with its own words. A success counts for our life. */
export const find = Effect.fn("Bubblewrap.find")(function* (options: Options): Effect.fn.Return<Bubblewrap, Refused> {
  const known = yield* Tried
  return yield* Effect.tryPromise({
    try: () => tried(options, known),
    catch: (error) => (error instanceof Refused ? error : noSandbox(`${messageOf(error)}.`, {}, [install]))
  })
})

const tried = async ({ path: searchPath, writable }: Options, known: Map<string, string>): Promise<Bubblewrap> => {
  if (process.platform !== "linux") throw noSandbox("Sandboxes work on Linux only.", {}, [])
  const found = await ProgramFile.find("bwrap", "/", searchPath ?? process.env["PATH"]).catch((error: unknown) => {
    const why = isMissing(error)
      ? "bubblewrap isn't installed: no folder of PATH has its program bwrap."
      : `${messageOf(error)}.`
    throw noSandbox(why, {}, [install])
  })
  const path = await realpath(found)
  const folder = writable.find((folder) => [found, path].some((file) => isWithin(folder, file)))
  if (folder !== undefined)
    throw noSandbox(`The bwrap in PATH is ${path}. The agent may write there, in ${folder}.`, { path }, [
      { action: "run-command", label: "Put a bwrap of the system before it in PATH" }
    ])
  const file = await stat(path)
  if ((file.mode & setUserId) !== 0)
    throw noSandbox(
      `${path} has rights of another user (setuid), which a fault in it would give to the agent.`,
      { path },
      [{ action: "run-command", label: "Take these rights from it", command: `sudo chmod u-s ${path}` }]
    )
  const key = [path, file.dev, file.ino, file.size, file.mtimeMs, file.ctimeMs].join("\n")
  const before = known.get(key)
  if (before !== undefined) return { path, version: before }
  const version = versionIn((await run(path, ["--version"])).stdout)
  if (version === undefined || isTooOld(version))
    throw noSandbox(`${path} is bubblewrap ${version ?? "of an unknown version"}; 0.8 is needed.`, { path }, [install])
  const trial = await run(path, [...Layers.trial, "--", "/bin/sh", "-c", "exit 0"])
  if (trial.failure !== undefined)
    throw noSandbox(await causeOf(path, trial.failure), { path, ...linesOf(trial.stderr) }, await stepsHere())
  known.set(key, version)
  return { path, version }
}

interface Printed {
  readonly stdout: string
  readonly stderr: string
  /** Undefined if it exited with 0. */
  readonly failure: string | undefined
}

const run = (path: string, args: ReadonlyArray<string>): Promise<Printed> =>
  new Promise((resolve) => {
    // Nothing of our environment: variables such as LD_PRELOAD would act on it outside of any sandbox.
    const options = { cwd: "/", env: {}, timeout: patience, killSignal: "SIGKILL", encoding: "utf8" } as const
    execFile(path, [...args], options, (error, stdout, stderr) => {
      const failure = error === null ? undefined : error.killed ? "did not end" : `exited with ${String(error.code)}`
      resolve({ stdout, stderr, failure })
    })
  })

const versionIn = (text: string): string | undefined => /^bubblewrap (\d{1,6}\.\d{1,6}(?:\.\d{1,6})?)$/m.exec(text)?.[1]

const isTooOld = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  return major < oldest[0] || (major === oldest[0] && minor < oldest[1])
}

const linesOf = (stderr: string) => {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "")
  return lines.length === 0
    ? {}
    : { stderrTail: lines.slice(-20).map((line) => line.slice(0, 500)), stderrLines: lines.length }
}

const causeOf = async (path: string, failure: string): Promise<string> => {
  const switches = await forbidding()
  const why = switches.length === 0 ? "" : ` This system forbids it: ${switches.join(", ")}.`
  return `${path} was tried and ${failure}: it can't make a sandbox for this user.${why}`
}

/** Settings of the kernel that forbid sandboxes without rights of root, with their values. */
const forbids: ReadonlyArray<readonly [file: string, value: string]> = [
  ["kernel/apparmor_restrict_unprivileged_userns", "1"],
  ["kernel/unprivileged_userns_clone", "0"],
  ["user/max_user_namespaces", "0"]
]

const forbidding = async (): Promise<ReadonlyArray<string>> => {
  const found = await Promise.all(
    forbids.map(async ([file, value]) => {
      const text = await readFile(`/proc/sys/${file}`, "utf8").catch(() => "")
      return text.trim() === value ? [`${file.replaceAll("/", ".")}=${value}`] : []
    })
  )
  return found.flat()
}

const stepsHere = async (): Promise<ReadonlyArray<NextStep>> => {
  const [first] = await forbidding()
  if (first?.includes("apparmor") === true)
    return [{ action: "run-command", label: "Give bwrap an AppArmor profile that has the rule userns" }]
  if (first !== undefined) return [{ action: "run-command", label: "Have an administrator permit user namespaces" }]
  return [{ action: "run-command", label: "In a container, start it so that programs may make user namespaces" }]
}
