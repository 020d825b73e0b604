/** Looking over one offered agent, whatever its kind. */
import type { ProviderOptions, ProviderRef } from "@signalbox/contracts/Provider"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import * as Result from "effect/Result"
import * as CursorBinary from "../cursor/CursorBinary.ts"
import * as CursorCheck from "../cursor/CursorCheck.ts"
import { providerError } from "../Services/ProviderError.ts"

/** What an agent consists of on disk, as text that changes when any of it does. */
export const fingerprint = Effect.fnUntraced(function* (provider: ProviderRef, options: ProviderOptions) {
  if (provider.kind === "acp") return (yield* Effect.forEach(filesOf(options), stamp)).join("\n")
  const located = yield* Effect.result(CursorBinary.locate(options.cursor))
  if (Result.isFailure(located)) return located.failure.problem.cause
  return (yield* Effect.forEach(located.success, stamp)).join("\n")
})

/** Symbolic links are followed: an update changes what they point to. */
const stamp = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const info = yield* Effect.option(fs.stat(path))
  return Option.match(info, {
    onNone: () => path,
    onSome: ({ ino, mtime, size }) =>
      [path, Option.getOrElse(ino, () => 0), Option.match(mtime, { onNone: () => 0, onSome: Number }), size].join(" ")
  })
})

export const run = (provider: ProviderRef, options: ProviderOptions) =>
  provider.kind === "cursor" ? CursorCheck.run(options.cursor ?? {}) : checkAcp(provider, options)

/** The program, and what it is to run where that is a file. */
const filesOf = ({ acp }: ProviderOptions): ReadonlyArray<string> =>
  acp?.command === undefined ? [] : [acp.command, ...(acp.args ?? []).filter((arg) => arg.startsWith("/"))]

const checkAcp = Effect.fn("ProviderCheck.acp")(function* (
  provider: ProviderRef,
  options: ProviderOptions
): Effect.fn.Return<CursorCheck.Findings, never, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const startedAt = yield* Clock.currentTimeMillis
  const files = filesOf(options)
  const present = yield* Effect.forEach(files, (file) => Effect.orElseSucceed(fs.exists(file), () => false))
  const durationMs = (yield* Clock.currentTimeMillis) - startedAt
  const missing = files.find((_, index) => present[index] === false)
  const path = files.at(-1) ?? ""
  if (missing === undefined)
    return { state: "ready", path, checks: [{ name: "found", state: "ok", detail: path, durationMs }] }
  const { problem } = providerError(
    "agent-not-found",
    `${provider.name} isn't where it should be.`,
    `There is no file at ${missing}.`,
    { evidence: { path: missing }, nextSteps: [{ action: "check-again", label: "Check again" }] }
  )
  return {
    state: "unavailable",
    checks: [{ name: "found", state: "failed", detail: problem.cause, durationMs }],
    problem
  }
})
