/** Why Cursor's program cannot be used, and what to do about it. */
import type { CursorOptions } from "@signalbox/contracts/Provider"
import { type ProviderError, providerError } from "../../../base/ProviderError.ts"
import * as Problems from "./CursorProblems.ts"
import * as CursorVersion from "./CursorVersion.ts"
import type * as Probe from "../Probe.ts"

const correctPath = { action: "set-option", label: "Correct the path (providerOptions.cursor.binaryPath)" } as const

const install = {
  action: "run-command",
  label: "Install Cursor's command line",
  command: Problems.installCommand
} as const

export const notFound = (options: CursorOptions, folders: ReadonlyArray<string>): ProviderError => {
  const chosen = options.binaryPath
  if (chosen !== undefined && chosen.includes("/"))
    return providerError("agent-not-found", "Cursor isn't where it should be.", `There is no program at ${chosen}.`, {
      evidence: { path: chosen },
      nextSteps: [correctPath, Problems.checkAgain]
    })
  const what = chosen === undefined ? "Neither cursor-agent nor agent is" : `${chosen} isn't`
  return providerError("agent-not-found", "Cursor isn't installed, or not in PATH.", `${what} ${whereOf(folders)}.`, {
    nextSteps: [install, Problems.checkAgain]
  })
}

const whereOf = (folders: ReadonlyArray<string>): string => {
  if (folders.length === 0) return "in PATH, which names no folder"
  if (folders.length === 1) return `in the one folder of PATH, ${folders[0]}`
  return `in any of the ${folders.length} folders of PATH: ${folders.join(", ")}`
}

export const notExecutable = (path: string): ProviderError =>
  providerError("agent-start-failed", "Cursor can't be started.", `The file ${path} is not executable.`, {
    evidence: { path },
    nextSteps: [
      { action: "run-command", label: "Make it executable", command: `chmod +x ${Problems.shellWord(path)}` },
      Problems.checkAgain
    ]
  })

export const notStarted = ({ cause, path }: Probe.NotStarted): ProviderError =>
  providerError("agent-start-failed", "Cursor can't be started.", `Starting ${path} failed: ${cause.message}.`, {
    evidence: { path },
    nextSteps: [install, Problems.checkAgain]
  })

export const hangs = ({ afterMs, flooded, path, stderr, stdout }: Probe.TimedOut): ProviderError =>
  providerError(
    "agent-start-timeout",
    flooded ? "Cursor doesn't report its version." : "Cursor doesn't answer.",
    flooded
      ? `${path} --version printed without end and was killed after ${afterMs / 1000} s. It began with ${quote(stdout)}.`
      : `${path} --version was still running after ${afterMs / 1000} s and was killed; it had printed ${quote(stdout)}.`,
    { evidence: { path, ...stderrOf(stderr) }, nextSteps: [Problems.checkAgain] }
  )

export const stopped = (path: string, { exitCode, signal, stderr, stdout }: Probe.Printed): ProviderError => {
  const end = exitCode === undefined ? `was ended by ${signal ?? "a signal"}` : `ended with exit code ${exitCode}`
  return providerError(
    "agent-start-failed",
    "Cursor doesn't report its version.",
    `${path} --version ${end} and printed ${quote(stdout || stderr)}.`,
    {
      evidence: {
        path,
        ...(exitCode !== undefined && { exitCode }),
        ...(signal !== undefined && { signal }),
        ...stderrOf(stderr)
      },
      nextSteps: [install, Problems.checkAgain]
    }
  )
}

export const notRecognised = (path: string, { stderr, stdout }: Probe.Printed): ProviderError =>
  providerError(
    "agent-not-recognised",
    `The program ${nameOf(path)} isn't Cursor's.`,
    `${path} --version printed ${quote(stdout || stderr)}, and Cursor's versions look like 2026.10.01-e373342. Other agents install a program of this name too.`,
    { evidence: { path, ...stderrOf(stderr) }, nextSteps: [install, Problems.checkAgain] }
  )

export const tooOld = (path: string, version: CursorVersion.CursorVersion): ProviderError =>
  providerError(
    "agent-too-old",
    "This Cursor is too old.",
    `${path} is version ${version.text}; the oldest that can be used is ${CursorVersion.oldest.label}.`,
    { evidence: { path }, nextSteps: [Problems.update(nameOf(path)), Problems.checkAgain] }
  )

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

const longestQuote = 200

/** What a program printed, short enough for a sentence. */
const quote = (output: string): string => {
  const text = output.trim().replace(/\s+/g, " ")
  if (text === "") return "nothing"
  return `“${text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text}”`
}

const mostLines = 20

const stderrOf = (stderr: string) => {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "")
  return lines.length === 0 ? {} : { stderrTail: lines.slice(-mostLines), stderrLines: lines.length }
}
