/** Finds the definitions of a name: in the files that have the word, and in those that servers name for it. */
import type { SymbolDef } from "@signalbox/contracts/IdeOperation"
import type { DocumentSymbol } from "@signalbox/lsp/features/Symbols"
import { LanguageServerError } from "@signalbox/lsp/LanguageServerError"
import * as LanguageId from "@signalbox/lsp/LanguageId"
import { isWithin } from "@signalbox/contracts/Paths"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { join } from "node:path"
import type { SessionFolder } from "../files/SessionFolder.ts"
import * as TextSearch from "../files/TextSearch.ts"
import type { CodeServers } from "./CodeServer.ts"
import * as Places from "./Places.ts"

/** A name, and what it belongs to: `Outer.name`, `Outer::name` or `Outer#name`. */
interface Wanted {
  readonly name: string
  readonly container: string | undefined
}

const wantedOf = (text: string): Wanted => {
  const parts = text.split(/::|[.#]/).filter((part) => part !== "")
  return { name: parts.at(-1) ?? text, container: parts.at(-2) }
}

/** Words that stand directly before a name where it is defined, in the languages whose servers are known. */
const defining: ReadonlySet<string> = new Set(
  "async class const def enum export fn function get impl interface let macro_rules mod module mut namespace private protected pub public readonly set static struct trait type union var".split(
    " "
  )
)

/** Whether a line seems to define what it has at this offset. */
const isDefining = (line: string, at: number, name: string): boolean => {
  const before = line.slice(0, at).trimEnd()
  const behind = line.slice(at + name.length).trimStart()
  if (before === "" || before.trimStart().startsWith("func ")) return true
  return (
    defining.has(/[A-Za-z_]{1,20}$/.exec(before)?.[0] ?? "") || (behind.startsWith("(") && line.trimEnd().endsWith("{"))
  )
}

/** Languages whose files define no symbols: words in them are prose, names of data, or of what is shown. */
export const textual: ReadonlySet<string> = new Set(
  "css dockerfile go.mod go.sum html json jsonc less makefile markdown plaintext scss toml xml yaml".split(" ")
)

/** Most files that are looked at for one name. */
const mostFiles = 16

const escaped = (name: string): string => name.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)

/** Files that have the word: those of these languages that seem to define it, their others, and one of another language that seems to. */
const filesWith = Effect.fnUntraced(function* (folder: SessionFolder, name: string, languages: ReadonlySet<string>) {
  const pattern = String.raw`(?<![\w$])${escaped(name)}(?![\w$])`
  const { matches } = yield* TextSearch.search(folder, pattern, {}).pipe(
    Effect.orElseSucceed((): TextSearch.Found => ({ matches: [], searchedFiles: 0, isCut: false }))
  )
  const ours = matches.filter(({ path }) => languages.has(LanguageId.ofPath(path)))
  const likely = ours.filter(({ content = "", start }) => isDefining(content, start.column - 1, name))
  const pathsOf = (found: TextSearch.Found["matches"]) =>
    [...new Set(found.map(({ path }) => join(folder.roots[0], path)))].slice(0, mostFiles)
  const first = pathsOf(likely)
  const foreign = matches.find(({ content = "", path, start }) => {
    const language = LanguageId.ofPath(path)
    if (languages.has(language) || textual.has(language)) return false
    const at = start.column - 1
    const before = content.slice(0, at).trim()
    // Prose may begin with any word, and have such a word before it.
    return before !== "" && !/^(?:\/[/*]|\*|#|--|;|%|<!--|["'])/.test(before) && isDefining(content, at, name)
  })
  const unasked = foreign && { path: foreign.path, language: LanguageId.ofPath(foreign.path) }
  return { first, others: pathsOf(ours).filter((path) => !first.includes(path)), unasked }
})

/** The symbols of a file that have the name, also within others. */
const named = (
  symbols: ReadonlyArray<DocumentSymbol>,
  { container, name }: Wanted,
  outer?: string
): ReadonlyArray<readonly [DocumentSymbol, outer: string | undefined]> =>
  symbols.flatMap((symbol) => {
    const holder = symbol.containerName ?? outer
    const isMeant = symbol.name === name && (container === undefined || holder === container)
    return [
      ...(isMeant ? [[symbol, holder] as const] : []),
      ...named(symbol.children, { container, name }, symbol.name)
    ]
  })

const isForeign = (path: string): boolean => path.split("/").includes("node_modules")

/**
 * The definitions of a name. Fails only if nothing was found, and a server could not be asked.
 *
 * @param languages the languages whose files are looked at
 * @param whyUnasked says why nobody can be asked about another language, in a sentence
 */
export const definitions = Effect.fn("SymbolSearch.definitions")(function* (
  servers: Pick<CodeServers, "forFile" | "forFolder">,
  folder: SessionFolder,
  text: string,
  languages: ReadonlySet<string>,
  whyUnasked: (language: string) => string
): Effect.fn.Return<ReadonlyArray<SymbolDef>, LanguageServerError> {
  const wanted = wantedOf(text)
  const failures: Array<LanguageServerError> = []
  const orNone = <A>(ask: Effect.Effect<ReadonlyArray<A>, LanguageServerError>): Effect.Effect<ReadonlyArray<A>> =>
    Effect.map(Effect.result(ask), (found) => {
      if (Result.isSuccess(found)) return found.success
      if (found.failure.reason !== "Unsupported") failures.push(found.failure)
      return []
    })

  const candidates = yield* filesWith(folder, wanted.name, languages)
  const paths = [...candidates.first, ...candidates.others]
  const { unasked } = candidates
  const elsewhere =
    unasked &&
    new LanguageServerError({
      reason: "NoServer",
      message: `${wanted.name} seems to be defined in ${unasked.path}. ${whyUnasked(unasked.language)}`
    })
  // A name that no file has is defined in none.
  if (paths.length === 0) return elsewhere === undefined ? [] : yield* elsewhere
  // One file of each language first: all others would wait for the same server, one after the other.
  const firsts = new Map(paths.toReversed().map((path) => [LanguageId.ofPath(path), path]))
  const ready = yield* Effect.forEach(
    firsts,
    ([language, path]) => Effect.map(orNone(servers.forFile(path)), (asked) => (asked.length > 0 ? [language] : [])),
    { concurrency: "unbounded" }
  )
  const answering = new Set(ready.flat())
  const [unready] = failures
  if (answering.size === 0 && unready !== undefined) return yield* unready
  const inFile = (path: string) =>
    Effect.gen(function* () {
      const [server] = yield* servers.forFile(path)
      if (server === undefined) return []
      return named(yield* server.documentSymbols(path), wanted).map(([{ kind, name, selectionRange }, container]) => ({
        name,
        kind,
        ...(container !== undefined && { container }),
        definedAt: Places.rangeOf(folder, path, selectionRange)
      }))
    })
  const lookInto = (files: Iterable<string>) =>
    Effect.map(
      Effect.forEach(
        [...files].filter((path) => answering.has(LanguageId.ofPath(path))),
        (path) => orNone(inFile(path)),
        { concurrency: 4 }
      ),
      (found) => found.flat()
    )

  const likely = yield* lookInto(candidates.first)
  if (likely.length > 0) return likely
  // What servers know by name only says in which files to look: some name the whole definition as its place.
  const asked = yield* orNone(servers.forFolder(folder.roots[0]))
  const known = yield* Effect.forEach(asked, (server) => orNone(server.workspaceSymbols(wanted.name)), {
    concurrency: "unbounded"
  })
  const further = known.flat().flatMap(({ location: { path }, name }) => {
    const isOurs = path !== undefined && !isForeign(path) && isWithin(folder.roots[0], path)
    return isOurs && name === wanted.name && !candidates.first.includes(path) ? [path] : []
  })
  const found = yield* lookInto(new Set([...candidates.others, ...further.slice(0, mostFiles)]))
  const failure = failures[0] ?? elsewhere
  return found.length === 0 && failure !== undefined ? yield* failure : found
})
