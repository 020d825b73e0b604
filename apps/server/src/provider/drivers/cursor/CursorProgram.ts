/**
 * Whether a program is Cursor's: by its installed path, or by `--version` if it has one of Cursor's two names. Other
 * programs are not run, since their effects are unknown.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { basename, parse } from "node:path"
import type { DriverNeeds, Program } from "../Driver.ts"
import * as FileStamp from "../FileStamp.ts"
import * as Probe from "../Probe.ts"
import * as CursorBinary from "./CursorBinary.ts"
import { childEnvironment } from "./CursorEnvironment.ts"
import * as CursorVersion from "./CursorVersion.ts"

const isName = (name: string): boolean => CursorBinary.names.some((one) => one === name)

interface Answer {
  /** Undefined if it is not Cursor, or did not answer. */
  readonly version: CursorVersion.CursorVersion | undefined
  /** The time until which the answer counts, in milliseconds since 1970. */
  readonly until: number
}

/** The answers of programs, by their files. A changed file is asked again. */
export const Answers: Context.Reference<Map<string, Answer>> = Context.Reference<Map<string, Answer>>(
  "@signalbox/server/provider/drivers/cursor/CursorProgram/Answers",
  { defaultValue: () => new Map() }
)

const mostAnswers = 64
const patience = Duration.seconds(5)
/** Time for which a missing answer counts. The program may only have been delayed. */
const silenceCounts = Duration.minutes(1)

export const recognises = Effect.fn("CursorProgram.recognises")(function* (
  program: Program
): Effect.fn.Return<boolean, never, DriverNeeds> {
  if (installedVersion(program.realPath) !== undefined) return true
  if (![program.path, program.realPath].some((path) => isName(basename(path)))) return false
  const answers = yield* Answers
  const now = yield* Clock.currentTimeMillis
  const key = yield* keyOf(program)
  const known = answers.get(key)
  if (known !== undefined && now < known.until) return known.version !== undefined
  const answer = yield* ask(program)
  const [oldest] = answers.keys()
  if (oldest !== undefined && answers.size >= mostAnswers) answers.delete(oldest)
  answers.set(key, answer ?? { version: undefined, until: now + Duration.toMillis(silenceCounts) })
  return answer?.version !== undefined
})

/** The version of a Cursor, if it is known without another run. */
export const knownVersion = Effect.fnUntraced(function* (program: Program) {
  return installedVersion(program.realPath) ?? (yield* Answers).get(yield* keyOf(program))?.version
})

/**
 * The key of an answer. It has a digest of the environment, which a wrapper may depend on, since the environment has
 * secrets.
 */
const keyOf = ({ env, path, realPath }: Program) => {
  const variables = Object.entries(env).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const digest = createHash("sha256").update(JSON.stringify(variables)).digest("hex")
  return Effect.map(FileStamp.of(realPath), (stamp) => `${path}\n${stamp}\n${digest}`)
}

/** The version in a path that Cursor's own installer makes: `cursor-agent/versions/2026.10.01-e373342/cursor-agent`. */
const installedVersion = (path: string): CursorVersion.CursorVersion | undefined => {
  const [folder, versions, version = "", name = ""] = path.split("/").slice(-4)
  const isOurs = folder === "cursor-agent" && versions === "versions" && isName(name)
  return isOurs ? exactly(version) : undefined
}

/** The version, if a text has nothing else. */
const exactly = (text: string): CursorVersion.CursorVersion | undefined => {
  const version = text.length < 64 ? CursorVersion.parse(text) : undefined
  return version?.text === text ? version : undefined
}

/** The version that the program prints. Undefined if it did not answer. */
const ask = Effect.fnUntraced(function* ({ env, path }: Program) {
  const cwd = parse(path).root
  const run = { path, args: ["--version"], cwd, env: { ...env, ...childEnvironment(env) } }
  const printed = yield* Effect.option(Probe.run(run, patience))
  if (printed._tag === "None") return undefined
  const { exitCode, stdout } = printed.value
  return { version: exitCode === 0 ? versionIn(stdout) : undefined, until: Number.POSITIVE_INFINITY }
})

/** The version on a line of its own. Within a sentence it could be another program's. */
const versionIn = (output: string): CursorVersion.CursorVersion | undefined => {
  for (const line of output.split("\n")) {
    const version = exactly(line.trim())
    if (version !== undefined) return version
  }
  return undefined
}
