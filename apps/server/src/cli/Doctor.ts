/** `signalbox doctor`: what is there on this machine, what is missing, and what to do about it. */
import type { ProviderStatus } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { mkdtempSync, readdirSync, rmdirSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Run from "../compose/Run.ts"
import { stateDirectory } from "../compose/StateDirectory.ts"
import { version } from "../compose/Version.ts"
import { ProviderCatalog } from "../provider/Services/ProviderCatalog.ts"
import { ExitCode } from "./ExitCode.ts"
import { oneLine } from "./Plain.ts"
import { problemText } from "./ProblemText.ts"

export const doctor = Effect.fn("Doctor")(function* (flags: { readonly stateDir: Option.Option<string> }) {
  const directory = stateDirectory(Option.getOrUndefined(flags.stateDir))
  const state = stateOf(directory)
  const statuses = yield* ProviderCatalog.pipe(
    Effect.flatMap((catalog) => catalog.check),
    Effect.provide(Run.catalogLayer(directory))
  )
  const lines = [
    `Signalbox ${version}`,
    "",
    `Node      ${process.version}, ${process.execPath}`,
    `State     ${directory}`,
    `          ${state.words}`,
    "",
    "Agents",
    ...statuses.flatMap(agentLines)
  ]
  console.log(lines.join("\n"))
  const anyRuns = statuses.some(({ state }) => state === "ready" || state === "attention")
  process.exitCode = anyRuns && state.usable ? ExitCode.completed : ExitCode.failed
})

const words: Readonly<Record<ProviderStatus["state"], string>> = {
  ready: "ready",
  attention: "can run, but needs something first",
  unavailable: "cannot run",
  checking: "not looked at yet"
}

const agentLines = (status: ProviderStatus): ReadonlyArray<string> => [
  "",
  `  ${status.provider.name} (${status.provider.id}): ${words[status.state]}`,
  ...status.checks.map(({ detail, name, state }) => `    ${name.padEnd(8)}${marks[state]} ${oneLine(detail, 300)}`),
  ...problemLines(status)
]

/** The problem, less what the checks have said already and what only a page can do. */
const problemLines = ({ checks, problem }: ProviderStatus): ReadonlyArray<string> => {
  if (problem === undefined) return []
  const told = checks.some(({ detail }) => detail === problem.cause)
  const nextSteps = problem.nextSteps.filter(({ action }) => action !== "check-again")
  return problemText({ ...problem, cause: told ? "" : problem.cause, nextSteps })
    .split("\n")
    .map((line) => `    ${line}`)
}

const marks = { ok: "✓", attention: "!", failed: "✗", unknown: "?" } as const

/** Whether the folder can be used, without making it: tried, since permissions alone do not tell. */
const stateOf = (directory: string): { readonly usable: boolean; readonly words: string } => {
  const existing = firstExisting(directory)
  try {
    rmdirSync(mkdtempSync(join(existing, ".signalbox-")))
  } catch (error) {
    const why = error instanceof Error && "code" in error ? ` (${String(error.code)})` : ""
    return {
      usable: false,
      words: `Nothing can be written to ${existing}${why}. Next: choose another folder with --state-dir or SIGNALBOX_STATE_DIR`
    }
  }
  if (existing !== directory) return { usable: true, words: "It will be made when it is needed." }
  return { usable: true, words: `Writable, ${sizeText(sizeOf(directory))}` }
}

const firstExisting = (path: string): string => {
  let folder = path
  while (statSync(folder, { throwIfNoEntry: false }) === undefined && dirname(folder) !== folder)
    folder = dirname(folder)
  return folder
}

/** Bytes of all files below. */
const sizeOf = (directory: string): number => {
  let sum = 0
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) sum += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0
  }
  return sum
}

const sizeText = (bytes: number): string => {
  if (bytes < 1024 * 1024) return `${Math.ceil(bytes / 1024)} KiB`
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}
