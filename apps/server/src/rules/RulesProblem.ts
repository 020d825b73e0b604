/** Why the rules of a file are not in force, and what to do. */
import type { Problem } from "@signalbox/contracts/Problem"
import * as CommandLine from "effect/process/CommandLine"
import type { Finding } from "@signalbox/permission/rules/RulesText"
import type { RulesFile } from "./RulesFiles.ts"

/** Most faults that a problem quotes. */
const mostQuoted = 5

/** A finding on one line. */
export const findingText = ({ message, path }: Finding): string => `${path === "" ? "" : `${path}: `}${message}.`

const placed = ({ column, line, message, path }: Finding): string =>
  `Line ${line}, ${path === "" ? `column ${column}` : path}: ${message}.`

/** The first fault of a file, such as `line 3, rules[0].effect: Expected …`. A clause with its full stop. */
export const clauseOf = ({ faults: [fault], refusal }: RulesFile): string =>
  fault === undefined ? `${refusal ?? "it can't be read"}.` : `l${placed(fault).slice(1)}`

/** A sentence for the threads that go by a file with a fault. */
export const noteOf = ({ path }: RulesFile, isUnknown: boolean): string =>
  isUnknown
    ? `The rules in ${path} can't be understood. Until they can, you are asked about everything that no other rule denies.`
    : `The rules in ${path} can't be understood. The rules that were read before stay in force.`

/** All faults of a file, a line each. */
export const causeOf = ({ faults, refusal }: RulesFile): string => {
  if (faults.length === 0) return `The file can't be read: ${refusal ?? "it is no file"}.`
  const more = faults.length - mostQuoted
  return [...faults.slice(0, mostQuoted).map(placed), ...(more > 0 ? [`There are ${more} more faults.`] : [])].join(
    "\n"
  )
}

/** Undefined if the rules are in force, or there is no file. */
export const of = (file: RulesFile): Problem | undefined => {
  const { path, state } = file
  const problem = (cause: string, label: string, command?: string): Problem => ({
    code: "config-invalid",
    title: `The rules in ${path} are not in force.`,
    cause,
    evidence: {},
    nextSteps: [{ action: "run-command", label, ...(command !== undefined && { command }) }]
  })
  switch (state) {
    case "missing":
    case "in-force":
      return undefined
    case "unreadable":
      return problem(causeOf(file), `See to it that ${path} is a file that you can read`)
    case "faulty":
      return problem(
        causeOf(file),
        "Correct the file, then look it over",
        CommandLine.display(["signalbox", "rules", "check", path])
      )
    case "untrusted":
      return problem(
        file.trust === "changed"
          ? "The file has changed since you trusted it. A change has to be trusted again."
          : "You have not trusted this project. Its rules can only deny and ask.",
        "Read the file. If you agree with it",
        CommandLine.display(["signalbox", "rules", "trust", "--cwd", file.folder ?? "."])
      )
  }
}
