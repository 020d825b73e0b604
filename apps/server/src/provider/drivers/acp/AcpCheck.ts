/** Checks an agent of which only the settings are known. */
import type { AcpOptions, ProviderCheck, ProviderOptions, ProviderRef } from "@signalbox/contracts/Provider"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { isMissing } from "@signalbox/system/SystemError"
import * as ProgramFile from "@signalbox/process/ProgramFile"
import type { Findings } from "../Driver.ts"
import * as FileStamp from "../FileStamp.ts"
import { type Environment, HostEnvironment } from "../HostEnvironment.ts"
import { providerError } from "../../../base/ProviderError.ts"

/** What the agent is made of: see `Driver.fingerprint`. */
export const fingerprint = Effect.fnUntraced(function* (options: ProviderOptions) {
  const files = yield* filesOf(options)
  return [JSON.stringify(options), ...(yield* Effect.forEach(files, FileStamp.of))].join("\n")
})

/** The program, and its script if it runs one. */
const filesOf = Effect.fnUntraced(function* ({ acp = {} }: ProviderOptions) {
  const { args = [], command, cwd = "/" } = acp
  if (command === undefined) return []
  const host: Environment = { ...(yield* HostEnvironment), ...acp.env }
  const program = yield* Effect.promise(() => ProgramFile.find(command, cwd, host["PATH"]).catch(() => command))
  return [program, ...args.filter((arg) => arg.startsWith("/"))]
})

export const run = Effect.fn("AcpCheck.run")(function* (
  provider: ProviderRef,
  { acp = {} }: ProviderOptions
): Effect.fn.Return<Findings> {
  const host: Environment = { ...(yield* HostEnvironment), ...acp.env }
  const startedAt = yield* Clock.currentTimeMillis
  const located = yield* Effect.result(locate(provider.name, acp, host))
  const durationMs = (yield* Clock.currentTimeMillis) - startedAt
  if (Result.isFailure(located)) {
    const { problem } = located.failure
    const found = { name: "found", state: "failed", detail: problem.cause, durationMs } as const
    return { state: "unavailable", checks: [found], problem }
  }
  const { detail, path, state } = located.success
  const login = loginOf(acp, host)
  const checks = [{ name: "found", state, detail, durationMs }, ...(login ? [login] : [])] as const
  const at = path !== undefined && { path }
  if (login?.state !== "attention") return { state: "ready", ...at, checks }
  return { state: "attention", ...at, checks, problem: loginMissing(provider, login.detail) }
})

interface Located {
  readonly path?: string
  readonly state: "ok" | "unknown"
  readonly detail: string
}

/** Finds the program without running it, since the effects of an unknown program are unknown. */
const locate = (name: string, { command, cwd, url }: AcpOptions, host: Environment) => {
  if (command === undefined) {
    return Effect.succeed<Located>({ state: "unknown", detail: `Runs elsewhere, at ${url ?? "no address"}` })
  }
  if (cwd === undefined && command.includes("/") && !command.startsWith("/")) {
    return Effect.succeed<Located>({ state: "unknown", detail: `${command}, looked for in the folder of each thread` })
  }
  return Effect.tryPromise({
    try: () => ProgramFile.find(command, cwd ?? "/", host["PATH"]),
    catch: (error) => notFound(name, command, error)
  }).pipe(Effect.map((path): Located => ({ path, state: "ok", detail: path })))
}

const notFound = (name: string, command: string, error: unknown) => {
  const more = { evidence: { path: command }, nextSteps: [{ action: "check-again", label: "Check again" }] } as const
  if (!isMissing(error)) {
    const cause = `${command} is there, and is not a program that this user may run.`
    return providerError("agent-start-failed", `${name} can't be started.`, cause, more)
  }
  const cause = command.includes("/") ? `There is no file ${command}.` : `There is no program ${command} in PATH.`
  return providerError("agent-not-found", `${name} isn't where it should be.`, cause, more)
}

/** Checks whether one of the needed variables is set. Its value is never shown. */
const loginOf = ({ auth }: AcpOptions, host: Environment): ProviderCheck | undefined => {
  const names = auth?.env ?? []
  if (names.length === 0) return undefined
  const set = names.find((name) => (host[name] ?? "") !== "")
  return set === undefined
    ? { name: "login", state: "attention", detail: `None of these is set: ${names.join(", ")}` }
    : { name: "login", state: "ok", detail: `${set} is set` }
}

const loginMissing = ({ id, name }: ProviderRef, cause: string) =>
  providerError("auth-required", `${name} needs a key.`, cause, {
    nextSteps: [{ action: "set-option", label: `Set one of them under agents.${id}.env in the settings` }]
  }).problem
