/**
 * Checks a Cursor as people would: whether it is installed, its version, and whether somebody is signed in. Starts no
 * session.
 */
import type { Problem } from "@signalbox/contracts/Problem"
import type { CursorOptions, ProviderCheck } from "@signalbox/contracts/Provider"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import * as Result from "effect/Result"
import type { Findings } from "../Driver.ts"
import * as CursorBinary from "./CursorBinary.ts"
import * as CursorLogin from "./CursorLogin.ts"
import * as Problems from "./CursorProblems.ts"
import * as CursorVersion from "./CursorVersion.ts"

export const run = Effect.fn("CursorCheck.run")(function* (
  options: CursorOptions
): Effect.fn.Return<Findings, never, FileSystem.FileSystem | Path.Path | ChildProcessSpawner> {
  const [located, foundMs] = yield* timed(Effect.result(CursorBinary.locate(options)))
  if (Result.isFailure(located)) return unavailable([], "found", located.failure.problem, foundMs)
  const first = located.success[0]
  const [verified, versionMs] = yield* timed(Effect.result(CursorBinary.firstVerified(located.success, options)))
  if (Result.isFailure(verified)) {
    const { problem } = verified.failure
    const path = problem.evidence.path ?? first
    const found = path === undefined ? [] : [foundAt(path, foundMs)]
    return { ...unavailable(found, "version", problem, versionMs), ...(path !== undefined && { path }) }
  }
  const { path, version } = verified.success
  const [login, loginMs] = yield* timed(CursorLogin.check(path, options))
  const checks = [foundAt(path, foundMs), versionIs(version, versionMs), loginIs(login, loginMs)]
  const known = { path, version: version.text, checks }
  return login.state === "missing"
    ? { ...known, state: "attention", problem: loginMissing(login, path, options) }
    : { ...known, state: "ready" }
})

/** An effect's result, and how long it took in milliseconds. */
const timed = <A, R>(effect: Effect.Effect<A, never, R>): Effect.Effect<readonly [A, number], never, R> =>
  Effect.gen(function* () {
    const startedAt = yield* Clock.currentTimeMillis
    const result = yield* effect
    return [result, (yield* Clock.currentTimeMillis) - startedAt] as const
  })

const unavailable = (
  before: ReadonlyArray<ProviderCheck>,
  name: ProviderCheck["name"],
  problem: Problem,
  durationMs: number
): Findings => ({
  state: "unavailable",
  checks: [...before, { name, state: "failed", detail: problem.cause, durationMs }],
  problem
})

const foundAt = (path: string, durationMs: number): ProviderCheck => ({
  name: "found",
  state: "ok",
  detail: path,
  durationMs
})

const versionIs = (version: CursorVersion.CursorVersion, durationMs: number): ProviderCheck => ({
  name: "version",
  state: "ok",
  detail: CursorVersion.isNewerThanKnown(version)
    ? `${version.text}, newer than the newest we know (${CursorVersion.newestKnown.label})`
    : version.text,
  durationMs
})

const loginStates = { ok: "ok", missing: "attention", unknown: "unknown" } as const

const loginIs = ({ detail, state }: CursorLogin.CursorLogin, durationMs: number): ProviderCheck => ({
  name: "login",
  state: loginStates[state],
  detail,
  durationMs
})

/** The variables that decide where Cursor keeps its sign-in. A sign-in without them is for another account. */
const accountVariables = ["CURSOR_CONFIG_DIR", "CURSOR_DATA_DIR", "XDG_CONFIG_HOME", "HOME"]

const accountOf = ({ env = {} }: CursorOptions): ReadonlyArray<string> =>
  accountVariables.flatMap((name) => {
    const value = env[name]
    return value === undefined ? [] : [`${name}=${Problems.shellWord(value)}`]
  })

const loginMissing = ({ detail }: CursorLogin.CursorLogin, path: string, options: CursorOptions): Problem => {
  const program = options.binaryPath === undefined ? path.slice(path.lastIndexOf("/") + 1) : Problems.shellWord(path)
  const problem = Problems.authRequired(detail, { path }, [...accountOf(options), program].join(" "))
  return { ...problem, title: "Nobody is signed in to Cursor.", nextSteps: [...problem.nextSteps, Problems.checkAgain] }
}
