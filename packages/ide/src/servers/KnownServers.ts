/**
 * Language servers that are known by their programs. Those that run and fetch nothing of what a project names are started where this machine
 * has them. The others are started only where people name them.
 */
import * as SearchPath from "@signalbox/lsp/SearchPath"
import type { ServerDefinition } from "@signalbox/lsp/ServerDefinition"
import * as ProgramFile from "@signalbox/process/ProgramFile"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { existsSync, realpathSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { merged } from "./MergedOptions.ts"

export interface Found {
  /** All that this machine has. People may turn each of them on. */
  readonly definitions: ReadonlyArray<ServerDefinition>
  /** Those of them that may be started although nobody has named them. */
  readonly unasked: ReadonlyArray<ServerDefinition>
  /** The others: why nobody starts them unasked, and how people name them. */
  readonly toBeNamed: ReadonlyArray<Missing>
  /** What this machine lacks, by the languages that nobody can be asked about: a sentence with the next step. */
  readonly missing: ReadonlyArray<Missing>
}

export interface Missing {
  readonly languages: ReadonlyArray<string>
  readonly words: string
}

/** A server that is known by its program. */
interface Known extends Omit<ServerDefinition, "initializationOptions"> {
  /** How people get it. */
  readonly install: string
  /** What it may do in a project, although people have agreed to nothing. It is started only where they name it. */
  readonly risk?: string
  /** What it is started with, by where its program is and what people give it. A sentence says why it is not started. */
  readonly optionsOf?: (program: string, given: unknown) => { readonly options: unknown } | { readonly problem: string }
}

/** The folders of a path, from the innermost. */
const upward = (path: string): ReadonlyArray<string> => {
  const folders = [path]
  for (let folder = dirname(path); folder !== folders.at(-1); folder = dirname(folder)) folders.push(folder)
  return folders
}

/**
 * The TypeScript that stands beside the server on this machine. It has to be named: else the server would run the one that it finds in the
 * project.
 */
const typescriptBeside = (program: string, given: unknown) => {
  // A syntax server would answer at once, and wrongly, while the project is read.
  const options = { tsserver: { useSyntaxServer: "never" }, disableAutomaticTypingAcquisition: true }
  const named = Predicate.hasProperty(given, "tsserver") ? given.tsserver : undefined
  if (Predicate.hasProperty(named, "path") && typeof named.path === "string") return { options }
  if (!existsSync(program)) return { problem: `${program} does not exist.` }
  const path = upward(dirname(realpathSync(program)))
    .map((folder) => join(folder, "node_modules/typescript/lib/tsserver.js"))
    .find((file) => existsSync(file))
  return path === undefined
    ? {
        problem:
          "typescript-language-server has no TypeScript with a tsserver beside it, and that of the project is not run. Version 7 has none. Install an earlier one, such as: npm install -g typescript@5.9."
      }
    : { options: { ...options, tsserver: { path, ...options.tsserver } } }
}

const known: ReadonlyArray<Known> = [
  {
    id: "typescript",
    name: "TypeScript language server",
    command: "typescript-language-server",
    args: ["--stdio"],
    languages: ["typescript", "typescriptreact", "javascript", "javascriptreact"],
    // It finds the project of each file itself. One for each package would take a gigabyte each.
    rootMarkers: [],
    install: "npm install -g typescript-language-server typescript@5.9",
    optionsOf: typescriptBeside
  },
  {
    id: "pyright",
    name: "Pyright",
    command: "pyright-langserver",
    args: ["--stdio"],
    languages: ["python"],
    rootMarkers: ["pyrightconfig.json", "pyproject.toml", "setup.py", "requirements.txt"],
    install: "npm install -g pyright"
  },
  {
    id: "yaml",
    name: "YAML language server",
    command: "yaml-language-server",
    args: ["--stdio"],
    languages: ["yaml"],
    rootMarkers: [],
    // Schemas would come from the network.
    settings: { yaml: { schemaStore: { enable: false } } },
    install: "npm install -g yaml-language-server",
    risk: "it may fetch schemas, and read files, that a comment of a file names"
  },
  {
    id: "bash",
    name: "Bash language server",
    command: "bash-language-server",
    args: ["start"],
    languages: ["shellscript"],
    rootMarkers: [],
    install: "npm install -g bash-language-server"
  },
  {
    id: "gopls",
    name: "gopls",
    command: "gopls",
    args: [],
    // A module could name another version of Go to be fetched and run.
    env: { GOTOOLCHAIN: "local", GOFLAGS: "-mod=readonly" },
    languages: ["go", "go.mod"],
    rootMarkers: ["go.work", "go.mod"],
    readySign: "progress",
    install: "go install golang.org/x/tools/gopls@latest"
  },
  {
    id: "rust-analyzer",
    name: "rust-analyzer",
    command: "rust-analyzer",
    args: [],
    languages: ["rust"],
    rootMarkers: ["Cargo.toml"],
    readySign: "serverStatus",
    install: "rustup component add rust-analyzer",
    risk: "it may run programs that the project names, such as a toolchain of its own",
    // Build scripts and macros are programs of the project.
    optionsOf: () => ({
      options: { cargo: { buildScripts: { enable: false } }, procMacro: { enable: false }, checkOnSave: false }
    })
  },
  {
    id: "clangd",
    name: "clangd",
    command: "clangd",
    args: [],
    languages: ["c", "cpp"],
    rootMarkers: ["compile_commands.json", "compile_flags.txt", ".clangd"],
    install: "apt install clangd"
  }
]

/** The program of a command. Undefined if it is not there. A path stays as it is named. */
const programOf = (command: string, path: string): Promise<string | undefined> =>
  command.includes("/")
    ? Promise.resolve(command)
    : ProgramFile.find(command, "/", SearchPath.withoutProjects(path)).catch(() => undefined)

const notFound = (command: string) =>
  `${command} is not in the search path of this machine. Folders of a project, such as node_modules/.bin, do not count: name the path of the program.`

/** Why a known program is not taken, and what to do, in sentences. */
const lackOf = async (command: string, install: string, path: string): Promise<string> => {
  const brought = await ProgramFile.find(command, "/", path).catch(() => undefined)
  return brought === undefined
    ? `${command} is not on this machine. Install it, such as by: ${install}.`
    : `${command} is only in ${dirname(brought)}. A project may bring that folder, so nobody starts it unasked. Name its path, or install it, such as by: ${install}.`
}

/** What people say of a server. What is left out is as the server is known. */
export type Entry = Partial<Omit<ServerDefinition, "id">>

/** A known server as an entry changes it, or a sentence that says why it can't be started. Its guards stay, unless the entry names them itself. */
const changed = async (one: Known, entry: Entry, path: string): Promise<Result.Result<ServerDefinition, string>> => {
  const { install, optionsOf, risk: _, ...base } = one
  const program = await programOf(entry.command ?? base.command, path)
  if (program === undefined)
    return Result.fail(
      entry.command === undefined ? await lackOf(base.command, install, path) : notFound(entry.command)
    )
  const known = optionsOf?.(program, entry.initializationOptions)
  if (known !== undefined && "problem" in known) return Result.fail(known.problem)
  const options = merged(known?.options, entry.initializationOptions)
  const settings = merged(base.settings, entry.settings)
  const env = { ...base.env, ...entry.env }
  return Result.succeed({
    ...base,
    ...entry,
    command: program,
    ...(Object.keys(env).length > 0 && { env }),
    ...(options !== undefined && { initializationOptions: options }),
    ...(settings !== undefined && { settings })
  })
}

/** A server of another name. Its program is not one of the project either, unless people name its path. */
const ownOf = async (definition: ServerDefinition, path: string): Promise<Result.Result<ServerDefinition, string>> => {
  const command = await programOf(definition.command, path)
  return command === undefined ? Result.fail(notFound(definition.command)) : Result.succeed({ ...definition, command })
}

/**
 * A server that people name, with what is known of its program. Its name and languages stay. Fails with a sentence.
 *
 * @param path the search path, for a program that is named without its folder
 */
export const completed = (
  given: ServerDefinition,
  path: string
): Effect.Effect<Result.Result<ServerDefinition, string>> =>
  Effect.promise(async () => {
    const base = known.find(({ command }) => command === basename(given.command))
    if (base === undefined) return ownOf(given, path)
    const args = given.args.length > 0 ? given.args : base.args
    const rootMarkers = given.rootMarkers.length > 0 ? given.rootMarkers : base.rootMarkers
    return changed(base, { ...given, args, rootMarkers }, path)
  })

/** The languages of a server that is known by its program. Undefined for any other name. */
export const languagesOf = (id: string): ReadonlyArray<string> | undefined =>
  known.find((one) => one.id === id)?.languages

/**
 * The definition that people mean by an entry, or a sentence that says what it lacks.
 *
 * @param path the search path, for a program that is named without its folder
 */
export const ofEntry = (
  id: string,
  entry: Entry,
  path: string
): Effect.Effect<Result.Result<ServerDefinition, string>> =>
  Effect.promise(async () => {
    const base = known.find((one) => one.id === id)
    if (base !== undefined) return changed(base, entry, path)
    const { command, languages } = entry
    if (command === undefined || languages === undefined)
      return Result.fail(
        `Signalbox knows no language server with the name ${id}. Add its "command" and its "languages".`
      )
    return ownOf({ args: [], rootMarkers: [], name: id, ...entry, id, command, languages }, path)
  })

const toBeNamed = ({ command, id, languages, risk }: Known): Missing => ({
  languages,
  words: `${command} is on this machine, but nobody starts it unasked: ${risk}. If you agree, name it: --server '${languages[0]}=${command}', or "${id}": {} in the "languageServers" of the settings.`
})

/** Looks for all of them in a search path. */
export const find = (path: string): Effect.Effect<Found> =>
  Effect.promise(async () => {
    const all = await Promise.all(known.map(async (one) => ({ one, result: await changed(one, {}, path) })))
    const found = all.flatMap(({ one, result }) =>
      Result.isSuccess(result) ? [{ one, definition: result.success }] : []
    )
    return {
      definitions: found.map(({ definition }) => definition),
      unasked: found.flatMap(({ definition, one }) => (one.risk === undefined ? [definition] : [])),
      toBeNamed: found.flatMap(({ one }) => (one.risk === undefined ? [] : [toBeNamed(one)])),
      missing: all.flatMap(({ one, result }) =>
        Result.isFailure(result) ? [{ languages: one.languages, words: result.failure }] : []
      )
    }
  })
