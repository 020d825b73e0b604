/**
 * Recognises known agents by the program that is started, before the handshake. An agent's own description does not
 * count, since it could use any name.
 */
import * as Duration from "effect/Duration"
import { basename } from "node:path"
import type { KnownAgent } from "../../known/KnownAgent.ts"
import * as KnownAgents from "../../known/KnownAgents.ts"

/** Programs that fetch a package and run it. */
const runners: ReadonlySet<string> = new Set(["npx", "bunx", "uvx"])

/** Programs that run a script file. */
const interpreters: ReadonlySet<string> = new Set(["node", "bun"])

const byProgram: ReadonlyMap<string, KnownAgent> = new Map(
  KnownAgents.all.flatMap((agent) => agent.programs.map((program) => [program, agent] as const))
)
const byPackage: ReadonlyMap<string, KnownAgent> = new Map(
  KnownAgents.all.flatMap((agent) =>
    [agent.npm?.package, agent.pypi?.package].flatMap((name) => (name === undefined ? [] : [[name, agent] as const]))
  )
)

/** The known agent that a command line starts. Undefined for others. */
export const agentOf = (command: string, args: ReadonlyArray<string>): KnownAgent | undefined => {
  const program = basename(command)
  if (runners.has(program)) return byPackage.get(withoutVersion(packageIn(args)))
  if (!interpreters.has(program)) return byProgram.get(program) ?? ofFile(command)
  return ofFile(args.find((arg) => !arg.startsWith("-")) ?? "")
}

/**
 * The arguments up to the one that names the target: the file for an interpreter, the package for a runner. Arguments
 * for the target are left out.
 */
export const wordsBeforeOptions = (command: string, args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const program = basename(command)
  if (runners.has(program)) return args.slice(0, args.indexOf(packageIn(args)) + 1)
  return interpreters.has(program) ? args.slice(0, args.findIndex((arg) => !arg.startsWith("-")) + 1) : []
}

/** The default environment variables of a program. The settings may override them. */
export const environmentOf = (command: string, args: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  agentOf(command, args)?.env ?? {}

/** Time that a program has for the handshake. A program that runs packages must fetch them the first time. */
export const firstWordsWithin = (command: string): Duration.Duration =>
  runners.has(basename(command)) ? Duration.minutes(3) : Duration.zero

const packageFlags: ReadonlySet<string> = new Set(["--package", "-p", "--from"])

/** The package that a runner's arguments name. */
const packageIn = (args: ReadonlyArray<string>): string => {
  for (const [index, arg] of args.entries()) {
    if (packageFlags.has(arg)) return args[index + 1] ?? ""
    if (arg.startsWith("--package=") || arg.startsWith("--from=")) return arg.slice(arg.indexOf("=") + 1)
    if (!arg.startsWith("-")) return arg
  }
  return ""
}

const modules = "node_modules/"

/** The agent of a file within an installed package. */
const ofFile = (path: string): KnownAgent | undefined => {
  const at = path.lastIndexOf(modules)
  if (at === -1) return undefined
  const [first = "", second = ""] = path.slice(at + modules.length).split("/", 2)
  if (first === ".bin") return byProgram.get(second)
  return byPackage.get(first.startsWith("@") ? `${first}/${second}` : first)
}

/** The package name without its version: `@scope/name@1.2.3`, `name==1.2.3`. */
const withoutVersion = (name: string): string => name.replace(/(?<=.)(@|==).*$/, "")
