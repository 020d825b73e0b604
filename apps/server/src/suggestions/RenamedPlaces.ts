/** The places of a suggested rename, as a language server finds them: the same symbol in all files, and no other word. */
import type { Position } from "@signalbox/acp/Positions"
import type { SuggestedPlaces } from "@signalbox/contracts/Suggestions"
import type { FileChange } from "@signalbox/lsp/features/Edit"
import type { LanguageServer } from "@signalbox/lsp/servers/LanguageServer"
import type { LanguageServers } from "@signalbox/lsp/servers/LanguageServers"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { OfferedSuggestion } from "../editing/OpenSuggestions.ts"
import * as Sendable from "../editing/Sendable.ts"
import type { SuggestionDesk } from "../editing/SuggestionDesk.ts"
import type { PagePaths } from "./PagePaths.ts"
import { fileOf, mostPlaces, textOf } from "./SuggestedPlaceList.ts"
import * as SupposedText from "./SupposedText.ts"

type Rename = Extract<OfferedSuggestion, { readonly kind: "rename" }>

interface Around {
  readonly desk: SuggestionDesk
  readonly paths: PagePaths
  readonly servers: LanguageServers
}

const notAsked = "No language server is asked."

/** Fails with a sentence that says why no language server has found them. */
export const of = Effect.fn("RenamedPlaces.of")(function* (
  { newName, position, uri }: Rename,
  { desk, paths, servers }: Around
): Effect.fn.Return<SuggestedPlaces, string> {
  const path = Sendable.pathOf(uri)
  if (path === undefined) return yield* Effect.fail(notAsked)
  const able = yield* Effect.mapError(servers.forFile(path), ({ message, reason }) =>
    reason === "NoServer" ? notAsked : message
  )
  const open = desk.get(uri)
  // Both copies come from the page, and one may be later.
  if (open === undefined || open.lines.text !== servers.documents.textOf(path))
    return yield* Effect.fail("No language server has this text yet.")
  const asked = yield* Effect.forEach(able, (server) =>
    Effect.gen(function* () {
      const now = yield* Effect.result(renamed(server, { path, position, newName }, desk))
      if (Result.isSuccess(now) && now.success !== undefined) return { answer: now, server, supposition: undefined }
      for (const supposition of SupposedText.before(open, position, newName)) {
        const question = { path, position: supposition.position, newName }
        const answer = yield* Effect.result(renamed(server.supposing(path, supposition.lines.text), question, desk))
        const changes = Result.isSuccess(answer) ? (answer.success?.changes ?? []) : []
        const here = changes.flatMap((change) => (change.kind === "edit" && change.path === path ? change.edits : []))
        if (supposition.isAmong(here)) return { answer, server, supposition }
      }
      return { answer: now, server, supposition: undefined }
    })
  )
  if (desk.get(uri)?.lines !== open.lines) return yield* Effect.fail("The text has changed meanwhile.")
  for (const { answer, server, supposition } of asked) {
    const { name } = server
    if (Result.isFailure(answer) || answer.success === undefined) continue
    const { changes } = answer.success
    if (changes.some(({ kind }) => kind !== "edit"))
      return yield* Effect.fail(`${name} would move files for it, which is not done here.`)
    const steps = changes.flatMap((change) => (change.kind === "edit" ? [change] : []))
    if (new Set(steps.map(({ uri }) => uri)).size < steps.length)
      return yield* Effect.fail(`${name} would change a file in several steps, which is not done here.`)
    // The file that people look at comes first.
    const isHere = (one: FileEdits) => (one.path === path ? 0 : 1)
    const inOrder = steps.toSorted((one, other) => isHere(one) - isHere(other) || one.uri.localeCompare(other.uri))
    const files = inOrder.map((one) =>
      supposition === undefined || one.path !== path ? one : { ...one, edits: supposition.now(one.edits) }
    )
    return yield* placesOf(files, basisOf(name, supposition), desk, paths)
  }
  const failed = asked.flatMap(({ answer }) => (Result.isFailure(answer) ? [answer.failure.message] : []))
  const [first] = asked
  return yield* Effect.fail(failed[0] ?? `${first?.server.name ?? "The language server"} sees nothing to rename there.`)
})

const basisOf = (name: string, supposition: SupposedText.SupposedText | undefined): string => {
  const all = `These are all places of the symbol, in all files, by ${name}.`
  if (supposition === undefined) return all
  const { line, newName, oldName } = supposition
  return `${all} It was asked about the text with ${oldName} in line ${line + 1}, where ${newName} stands now.`
}

interface Question {
  readonly path: string
  readonly position: Position
  readonly newName: string
}

/** The edits of all files by one server. Undefined if it sees nothing to rename. */
const renamed = Effect.fnUntraced(function* (
  server: LanguageServer,
  { newName, path, position }: Question,
  desk: SuggestionDesk
) {
  // A rename where a symbol is imported would give it another name there, and nowhere else.
  const defined = yield* Effect.orElseSucceed(server.definition(path, position), () => [])
  const [only, ...others] = defined
  const isOurs = only?.path !== undefined && others.length === 0 && (yield* maySend(only.path, desk))
  const [at, where] = isOurs ? [only.path, only.range.start] : [path, position]
  const edit = yield* server.rename(at, where, newName)
  return edit === undefined || edit.changes.length === 0 ? undefined : edit
})

/** Whether a file is one of the workspace that the agent may know. */
const maySend = (path: string, { sendable }: SuggestionDesk): Effect.Effect<boolean> =>
  Effect.map(sendable.of(Sendable.uriOf(path)), ({ type }) => type === "may")

/** The edits of one file. */
type FileEdits = Extract<FileChange, { readonly kind: "edit" }>

const placesOf = Effect.fnUntraced(function* (
  steps: ReadonlyArray<FileEdits>,
  basis: string,
  desk: SuggestionDesk,
  paths: PagePaths
): Effect.fn.Return<SuggestedPlaces> {
  const files: Array<SuggestedPlaces["files"][number]> = []
  const cut: Array<string> = []
  let found = 0
  let listed = 0
  for (const { edits, path, uri } of steps) {
    const named = path === undefined ? uri : Sendable.uriOf(path)
    const text = yield* textOf(named, desk, paths)
    if ("why" in text) {
      cut.push(text.why)
      continue
    }
    const file = fileOf(paths.pathOf(named), text, edits.slice(0, mostPlaces - listed))
    found += edits.length
    listed += file.places.length
    if (file.places.length > 0) files.push(file)
  }
  if (listed < found) cut.push(`Only the first ${mostPlaces} places are listed.`)
  return {
    files,
    basis,
    ...(cut.length > 0 && { cut: cut.join(" ") })
  }
})
