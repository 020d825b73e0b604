/** Answers questions about code by language servers, or what stands in their place, for the folders of one session. */
import type { Finding, SymbolRef } from "@signalbox/contracts/IdeOperation"
import { isWithin } from "@signalbox/contracts/Paths"
import * as FileUri from "@signalbox/lsp/FileUri"
import * as LanguageId from "@signalbox/lsp/LanguageId"
import { LanguageServerError } from "@signalbox/lsp/LanguageServerError"
import type { ServerDefinition } from "@signalbox/lsp/ServerDefinition"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { SessionFolder } from "../files/SessionFolder.ts"
import { type Ide, IdeFailure } from "../Ide.ts"
import type { CodeServers, FoundInFile } from "./CodeServer.ts"
import type { Missing } from "./KnownServers.ts"
import * as LspAnswers from "./LspAnswers.ts"
import * as Places from "./Places.ts"
import * as SymbolSearch from "./SymbolSearch.ts"

export interface Options {
  readonly servers: CodeServers
  /** What these servers are made of. */
  readonly definitions: ReadonlyArray<Pick<ServerDefinition, "languages">>
  /** What this machine lacks: a reason for languages that no server knows. */
  readonly missing: ReadonlyArray<Missing>
  /** What helps with a language that nobody knows, in sentences. */
  readonly advice: (language: string) => string
  readonly folder: SessionFolder
}

const failure = (message: string) => new IdeFailure({ message })

/** Also an empty list of completions, which some servers wrap. */
const saysNothing = (answer: unknown): boolean => {
  if (answer === undefined || answer === null) return true
  const list: unknown = Predicate.isObject(answer) && "items" in answer ? answer["items"] : answer
  return Array.isArray(list) && list.length === 0
}

/** Most findings that are returned. */
const mostFindings = 1000

export const make = ({ advice, definitions, folder, missing, servers }: Options): Ide => {
  const languages = new Set(definitions.flatMap((one) => one.languages))

  const lackOf = (language: string) => missing.find((one) => one.languages.includes(language))

  /** What to install or to name for a language, so that it can be asked about. */
  const whyUnasked = (language: string): string =>
    `Nobody can be asked about ${language}: ${lackOf(language)?.words ?? advice(language)}`

  /** The servers' words, and for a language without a server those that name what to install. */
  const inWords = (path: string | undefined) =>
    Effect.mapError((error: LanguageServerError) => {
      const language = path === undefined ? "" : LanguageId.ofPath(path)
      if (error.reason !== "NoServer") return failure(error.message)
      const message = lackOf(language) === undefined ? error.message : whyUnasked(language)
      return new IdeFailure({ message, isForGood: true })
    })

  const pathOf = (uri: string) => {
    const path = FileUri.pathOf(uri)
    return path === undefined
      ? Effect.fail(failure(`${uri.slice(0, 200)} names no file of this machine.`))
      : Effect.mapError(folder.follow(path), ({ message }) => failure(message))
  }

  const first: LspAnswers.Asked["first"] = (path, ask) =>
    Effect.gen(function* () {
      const asked = yield* inWords(path)(servers.forFile(path))
      const results: Array<Result.Result<Effect.Success<ReturnType<typeof ask>>, LanguageServerError>> = []
      for (const server of asked) {
        const result = yield* Effect.result(ask(server))
        if (Result.isSuccess(result) && !saysNothing(result.success)) return result.success
        results.push(result)
      }
      const best = results.find(Result.isSuccess) ?? results.find(Result.isFailure)
      if (best === undefined) return yield* failure(`No language server answers about ${path}.`)
      return yield* inWords(path)(Effect.fromResult(best))
    })

  const all: LspAnswers.Asked["all"] = (ask) =>
    Effect.gen(function* () {
      const asked = yield* inWords(undefined)(servers.forFolder(folder.roots[0]))
      const results = yield* Effect.forEach(asked, (server) => Effect.result(ask(server)), { concurrency: "unbounded" })
      const failed = results.find(Result.isFailure)
      const answers = results.filter(Result.isSuccess)
      if (answers.length === 0 && failed !== undefined) return yield* inWords(undefined)(Effect.fail(failed.failure))
      return answers.flatMap(({ success }) => success)
    })

  const findingOf = (
    path: string,
    { code, message, range, severity, source }: FoundInFile["items"][number]
  ): Finding => ({
    severity,
    message,
    at: Places.rangeOf(folder, path, range),
    ...(code !== undefined && { code }),
    ...(source !== undefined && { source })
  })

  /** The first findings of all. A server may have found many more. */
  const findingsOf = (files: ReadonlyArray<FoundInFile>): ReadonlyArray<Finding> => {
    let left = mostFindings
    return files.flatMap(({ items, path }) => {
      const first = items.slice(0, left)
      left -= first.length
      return first.map((item) => findingOf(path, item))
    })
  }

  const notYet = (servers: ReadonlyArray<string>, path: string) =>
    failure(`${servers.join(", ")} has not reported on ${folder.nameOf(path)} as it is now. Ask again in a moment.`)

  const diagnostics: Ide["diagnostics"] = (uri) =>
    Effect.gen(function* () {
      if (uri === undefined) {
        const all = yield* servers.diagnostics.everywhere()
        const known = all.filter(({ path }) => folder.roots.some((root) => isWithin(root, path)))
        const stale = known.find(({ isCurrent }) => !isCurrent)
        if (stale !== undefined) return yield* notYet([stale.server], stale.path)
        return findingsOf(known)
      }
      const path = yield* pathOf(uri)
      const { found, waitingFor } = yield* inWords(path)(servers.diagnostics.of(path))
      if (waitingFor.length > 0) return yield* notYet(waitingFor, path)
      return findingsOf(found)
    })

  return {
    resolveSymbol: (name) => inWords(undefined)(SymbolSearch.definitions(servers, folder, name, languages, whyUnasked)),
    references: (symbol) =>
      Effect.gen(function* () {
        const path = yield* pathOf(FileUri.of(Places.pathOf(folder, symbol.definedAt.path)))
        const position = Places.positionOf(symbol.definedAt.start)
        const found = yield* first(path, (server) => server.references(path, position))
        return found.map(({ path, range, uri }): SymbolRef => ({
          ...symbol,
          referencedAt: Places.rangeOf(folder, path ?? uri, range)
        }))
      }),
    lsp: (method, params) => LspAnswers.of({ pathOf, first, all }, method, params),
    diagnostics,
    // A language server knows no editor.
    selection: Effect.undefined
  }
}
