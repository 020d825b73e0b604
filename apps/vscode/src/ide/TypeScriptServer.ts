/**
 * The server of VS Code's own extension for TypeScript and JavaScript. By itself it reports only on files in tabs, and answers by halves until
 * it has read a project. Asked for the findings of a file, it does both first. The command that asks it is not documented: where it is
 * missing, what VS Code lists counts.
 */
import type { FoundInFile } from "@signalbox/ide/servers/CodeServer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as vscode from "vscode"
import * as Deadline from "./Deadline.ts"

type Items = FoundInFile["items"]

export const languages: ReadonlySet<string> = new Set([
  "javascript",
  "javascriptreact",
  "typescript",
  "typescriptreact"
])

/** What its findings call their source. */
export const source = "ts"

/** Milliseconds for it to read a project. */
const readWithin = 8000

const Spot = Schema.Struct({ line: Schema.Int, offset: Schema.Int })
const decode = Schema.decodeUnknownOption(
  Schema.Struct({
    body: Schema.Array(
      Schema.Struct({
        start: Spot,
        end: Spot,
        text: Schema.String,
        category: Schema.String,
        code: Schema.optionalKey(Schema.Finite)
      })
    )
  })
)

const severities: Readonly<Record<string, Items[number]["severity"]>> = {
  error: "error",
  warning: "warning",
  message: "information",
  suggestion: "hint"
}

const positionOf = ({ line, offset }: typeof Spot.Type) => ({ line: line - 1, character: offset - 1 })

const ask = async (command: string, file: vscode.Uri): Promise<Items | undefined> => {
  const answer = await Promise.resolve(
    vscode.commands.executeCommand("typescript.tsserverRequest", command, { file })
  ).catch(() => undefined)
  return Option.getOrUndefined(decode(answer))?.body.map(({ category, code, end, start, text }) => ({
    range: { start: positionOf(start), end: positionOf(end) },
    severity: severities[category] ?? "error",
    message: text,
    ...(code !== undefined && { code }),
    source
  }))
}

/** Its findings about the text as it is now. Undefined if it is not asked about the document, or does not answer. */
export const findings = async ({ languageId, uri }: vscode.TextDocument): Promise<Items | undefined> => {
  if (!languages.has(languageId)) return undefined
  const [syntax, meaning] = await Promise.all([
    ask("syntacticDiagnosticsSync", uri),
    ask("semanticDiagnosticsSync", uri)
  ])
  return syntax === undefined || meaning === undefined ? undefined : [...syntax, ...meaning]
}

/** Questions that end when it has read the project of a document. A document has one. */
const reading = new WeakMap<vscode.TextDocument, Promise<unknown>>()

/** Waits until it has read the project of a document. False: it has not yet. */
export const ready = async (document: vscode.TextDocument): Promise<boolean> => {
  if (!languages.has(document.languageId)) return true
  const known =
    reading.get(document) ??
    ask("semanticDiagnosticsSync", document.uri).then((answer) => {
      // A server that has not answered may have ended: the next one reads the project anew.
      if (answer === undefined) reading.delete(document)
    })
  reading.set(document, known)
  return Deadline.keeps(known, readWithin)
}
