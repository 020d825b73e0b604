/** The providers of VS Code, which its extensions have registered: they are asked about a document, and change nothing. */
import type { Position, Range } from "@signalbox/acp/Positions"
import { LanguageServerError } from "@signalbox/lsp/LanguageServerError"
import { messageOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import * as vscode from "vscode"
import * as DiskFile from "../editor/DiskFile.ts"
import { hasLinesOfDisk, openAt, untilFresh } from "../editor/FreshDocument.ts"
import type { FileNames } from "./FileNames.ts"
import type { LanguageStart } from "./LanguageStart.ts"

/** Which provider is asked by which command, and what it answers with. */
interface Answers {
  readonly Hover: ReadonlyArray<vscode.Hover>
  readonly Definition: ReadonlyArray<vscode.Location | vscode.LocationLink>
  readonly Reference: ReadonlyArray<vscode.Location>
  readonly DocumentSymbol: ReadonlyArray<vscode.DocumentSymbol | vscode.SymbolInformation>
  readonly WorkspaceSymbol: ReadonlyArray<vscode.SymbolInformation>
  readonly CompletionItem: vscode.CompletionList
  readonly FormatDocument: ReadonlyArray<vscode.TextEdit>
  readonly CodeAction: ReadonlyArray<vscode.CodeAction | vscode.Command>
  readonly DocumentRename: vscode.WorkspaceEdit
}

export interface Providers {
  /** The document of a file, with what is not saved, else with the text of the disk. */
  readonly document: (place: string) => Effect.Effect<vscode.TextDocument, LanguageServerError>
  /** Asks about a document. Undefined: no provider has anything to say. */
  readonly ask: <Name extends keyof Answers>(
    name: Name,
    document: vscode.TextDocument,
    ...more: ReadonlyArray<unknown>
  ) => Effect.Effect<Answers[Name] | undefined, LanguageServerError>
  /** Asks about the whole window. */
  readonly symbols: (query: string) => Effect.Effect<Answers["WorkspaceSymbol"], LanguageServerError>
}

export const positionOf = ({ character, line }: Position): vscode.Position => new vscode.Position(line, character)

export const rangeOf = ({ end, start }: Range): vscode.Range => new vscode.Range(positionOf(start), positionOf(end))

/** Also a list of completions, or a change, without entries. */
const saysNothing = (answer: Answers[keyof Answers] | undefined): boolean => {
  if (answer === undefined || answer === null) return true
  if ("items" in answer) return answer.items.length === 0
  return "size" in answer ? answer.size === 0 : answer.length === 0
}

const attempt = <A>(
  reason: "DocumentUnusable" | "Refused",
  what: string,
  run: (signal: AbortSignal) => PromiseLike<A>
): Effect.Effect<A, LanguageServerError> =>
  Effect.tryPromise({
    try: async (signal) => await run(signal),
    catch: (error) =>
      error instanceof LanguageServerError
        ? error
        : new LanguageServerError({ reason, message: `VS Code ${what}: ${messageOf(error)}` })
  })

export const make = (names: FileNames, languages: LanguageStart): Providers => ({
  document: (place) =>
    attempt("DocumentUnusable", `can't open ${place}`, async () => {
      await DiskFile.check(place)
      const name = names.inEditor(place)
      const document = openAt(name, place) ?? (await vscode.workspace.openTextDocument(vscode.Uri.file(name)))
      await untilFresh(document, place, hasLinesOfDisk)
      return document
    }),
  ask: <Name extends keyof Answers>(name: Name, document: vscode.TextDocument, ...more: ReadonlyArray<unknown>) =>
    attempt("Refused", `answers no question for ${name} about ${document.fileName}`, (signal) =>
      languages.patiently(
        document,
        saysNothing,
        () =>
          vscode.commands.executeCommand<Answers[Name] | undefined>(
            `vscode.execute${name}Provider`,
            document.uri,
            ...more
          ),
        signal
      )
    ),
  symbols: (query) =>
    attempt("Refused", `answers no question for symbols`, async () => {
      const command = "vscode.executeWorkspaceSymbolProvider"
      return (await vscode.commands.executeCommand<Answers["WorkspaceSymbol"] | undefined>(command, query)) ?? []
    })
})
