/**
 * Tells a known agent by the program that is started, before it has said a word. What an agent says of itself is not asked: anything
 * may call itself anything.
 */
import * as Duration from "effect/Duration"
import { basename } from "node:path"
import type { KnownAgent } from "../../known/KnownAgent.ts"
import * as KnownAgents from "../../known/KnownAgents.ts"

/** Programs that load a package and run it. */
const runners: ReadonlySet<string> = new Set(["npx", "bunx", "uvx"])

/** Programs that run a file. */
const interpreters: ReadonlySet<string> = new Set(["node", "bun"])

const byProgram: ReadonlyMap<string, KnownAgent> = new Map(
  KnownAgents.all.flatMap((agent) => agent.programs.map((program) => [program, agent] as const))
)
const byPackage: ReadonlyMap<string, KnownAgent> = new Map(
  KnownAgents.all.flatMap((agent) =>
    [agent.npm?.package, agent.pypi?.package].flatMap((name) => (name === undefined ? [] : [[name, agent] as const]))
  )
)

/** The agent that a command line starts, where that is a known one. */
export const agentOf = (command: string, args: ReadonlyArray<string>): KnownAgent | undefined => {
  const program = basename(command)
  if (runners.has(program)) return byPackage.get(withoutVersion(packageIn(args)))
  if (!interpreters.has(program)) return byProgram.get(program) ?? ofFile(command)
  return ofFile(args.find((arg) => !arg.startsWith("-")) ?? "")
}

/** The arguments that name what is run, before those that are meant for it: the file for an interpreter, the package for a runner. */
export const wordsBeforeOptions = (command: string, args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const program = basename(command)
  if (runners.has(program)) return args.slice(0, args.indexOf(packageIn(args)) + 1)
  return interpreters.has(program) ? args.slice(0, args.findIndex((arg) => !arg.startsWith("-")) + 1) : []
}

/** The variables that a program should have, unless its settings say otherwise. */
export const environmentOf = (command: string, args: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  agentOf(command, args)?.env ?? {}

/** How long a program may take to its first words: one that runs packages has to fetch them the first time. */
export const firstWordsWithin = (command: string): Duration.Duration =>
  runners.has(basename(command)) ? Duration.minutes(3) : Duration.zero

const packageFlags: ReadonlySet<string> = new Set(["--package", "-p", "--from"])

/** The package that a runner is told to load. */
const packageIn = (args: ReadonlyArray<string>): string => {
  for (const [index, arg] of args.entries()) {
    if (packageFlags.has(arg)) return args[index + 1] ?? ""
    if (arg.startsWith("--package=") || arg.startsWith("--from=")) return arg.slice(arg.indexOf("=") + 1)
    if (!arg.startsWith("-")) return arg
  }
  return ""
}

const modules = "node_modules/"

/** The agent that a file within an installed package belongs to. */
const ofFile = (path: string): KnownAgent | undefined => {
  const at = path.lastIndexOf(modules)
  if (at === -1) return undefined
  const [first = "", second = ""] = path.slice(at + modules.length).split("/", 2)
  if (first === ".bin") return byProgram.get(second)
  return byPackage.get(first.startsWith("@") ? `${first}/${second}` : first)
}

/** `@scope/name@1.2.3` and `name==1.2.3` as they are called. */
const withoutVersion = (name: string): string => name.replace(/(?<=.)(@|==).*$/, "")
