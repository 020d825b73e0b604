/**
 * Whether Cursor is signed in, as far as it reports without a session. Only a refusal of `session/new` with −32000 is
 * certain.
 */
import type { CursorOptions } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Path from "effect/Path"
import * as Predicate from "effect/Predicate"
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import * as Result from "effect/Result"
import * as CursorBinary from "./CursorBinary.ts"
import { type Environment, HostEnvironment } from "../HostEnvironment.ts"
import * as Probe from "../Probe.ts"

export interface CursorLogin {
  /** `unknown` differs from `missing`, since some builds report nothing. */
  readonly state: "ok" | "missing" | "unknown"
  /** The evidence, in one sentence. */
  readonly detail: string
}

const timeout = "10 seconds"

const keyVariables = ["CURSOR_API_KEY", "CURSOR_AUTH_TOKEN"] as const
const keyFlags = ["--api-key", "--auth-token"] as const

/**
 * The name of the flag or variable that has a key or token, never its value. With one, `status` still reports that
 * nobody is signed in.
 */
export const keyName = (env: Environment, args: ReadonlyArray<string>): string | undefined =>
  keyFlags.find((flag) => args.some((arg) => arg === flag || arg.startsWith(`${flag}=`))) ??
  keyVariables.find((name) => (env[name] ?? "") !== "")

/** Asks the program at `path`, by up to three commands. */
export const check = Effect.fn("CursorLogin.check")(function* (
  path: string,
  options: CursorOptions = {}
): Effect.fn.Return<CursorLogin, never, ChildProcessSpawner | Path.Path> {
  const host = yield* HostEnvironment
  const key = keyName({ ...host, ...options.env }, options.args ?? [])
  if (key !== undefined)
    return { state: "ok", detail: `${key} is set; whether it is valid shows when a session starts.` }
  for (const { args, read } of questions) {
    const printed = yield* ask(path, args, options)
    const answer = Option.flatMapNullishOr(printed, ({ stdout }) => read(stdout, `${nameOf(path)} ${args[0]}`))
    if (Option.isSome(answer)) return answer.value
  }
  const name = nameOf(path)
  return { state: "unknown", detail: `Neither ${name} status nor ${name} about says whether somebody is signed in.` }
})

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** Runs a command with the endpoint only: other flags, such as `--worktree`, would have effects. */
const ask = Effect.fnUntraced(function* (path: string, args: ReadonlyArray<string>, options: CursorOptions) {
  const endpoint = options.apiEndpoint === undefined ? [] : ["-e", options.apiEndpoint]
  const program = yield* CursorBinary.program(path, [...endpoint, ...args], options)
  const printed = yield* Effect.option(Probe.run(program, timeout))
  return Option.filter(printed, ({ exitCode }) => exitCode === 0)
})

const loggedIn = (command: string, email: string | undefined): CursorLogin => ({
  state: "ok",
  detail: email === undefined ? `${command} says that somebody is signed in.` : `Signed in as ${email}.`
})

const notLoggedIn = (command: string): CursorLogin => ({
  state: "missing",
  detail: `${command} says “Not logged in”, and neither ${keyVariables.join(" nor ")} is set.`
})

/** The object in an output that may hold other lines too. */
const objectIn = (output: string): { readonly [key: PropertyKey]: unknown } | undefined => {
  const json = output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1)
  const value = Result.try((): unknown => JSON.parse(json))
  return Result.isSuccess(value) && Predicate.isObject(value.success) ? value.success : undefined
}

const emailIn = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

const readStatusJson = (output: string, command: string): CursorLogin | undefined => {
  const status = objectIn(output)
  const user = status?.["userInfo"]
  if (status?.["isAuthenticated"] === true)
    return loggedIn(command, Predicate.isObject(user) ? emailIn(user["email"]) : undefined)
  return status?.["isAuthenticated"] === false ? notLoggedIn(command) : undefined
}

const readStatusText = (output: string, command: string): CursorLogin | undefined => {
  if (/not logged in/i.test(output)) return notLoggedIn(command)
  const match = /logged in(?: as (\S+))?/i.exec(output)
  return match === null ? undefined : loggedIn(command, match[1])
}

const readAboutText = (output: string, command: string): CursorLogin | undefined => {
  const user = /^\s*User Email\s+(\S.*)$/m.exec(output)?.[1]?.trim()
  if (user === undefined) return undefined
  return /not logged in/i.test(user) ? notLoggedIn(command) : loggedIn(command, user)
}

/** The commands that are tried in order. Builds without `--format` fail on the first, which is no answer. */
const questions = [
  { args: ["status", "--format", "json"], read: readStatusJson },
  { args: ["status"], read: readStatusText },
  { args: ["about"], read: readAboutText }
]
