/** Suggestions in the forms that editors show: completions in the line, and code actions. */
import type { Suggestion } from "@signalbox/acp/NesSchema"
import type { Lines, Position } from "@signalbox/acp/Positions"
import type {
  CodeAction,
  Command,
  InlineCompletionItem,
  TextDocumentEdit,
  TextEdit,
  WorkspaceEdit
} from "vscode-languageserver-protocol"
import { oneLine } from "../../base/Plain.ts"
import { actionKind, commands, type LspClient } from "./LspClient.ts"
import { type DocumentEdits, editsOf, type OpenText, titleOf } from "./LspEdits.ts"

const commandOf = (command: string, title: string, id: string): Command => ({ command, title, arguments: [id] })

/**
 * A completion in the line of the caret. Undefined for anything but one edit that begins on this line, at the caret or
 * before it. Its range reaches the caret: editors show no other ones.
 */
export const itemOf = (suggestion: Suggestion, lines: Lines, caret: Position): InlineCompletionItem | undefined => {
  if (suggestion.kind !== "edit") return undefined
  const [edit, ...more] = suggestion.edits
  if (edit === undefined || more.length > 0) return undefined
  const at = lines.offsetAt(caret)
  const [from, to] = [lines.offsetAt(edit.range.start), lines.offsetAt(edit.range.end)]
  const [start, end] = [lines.positionAt(from), lines.positionAt(Math.max(to, at))]
  if (start.line !== caret.line || end.line !== caret.line || from > at) return undefined
  return {
    insertText: edit.newText + lines.slice(to, Math.max(to, at)),
    range: { start, end },
    command: commandOf(commands.accept, "Accept the suggestion", suggestion.id)
  }
}

const textEdits = ({ edits }: DocumentEdits): Array<TextEdit> => edits.map(({ newText, range }) => ({ newText, range }))

export const workspaceEditOf = (changed: ReadonlyArray<DocumentEdits>, { hasVersions }: LspClient): WorkspaceEdit =>
  hasVersions
    ? {
        documentChanges: changed.map((one): TextDocumentEdit => {
          const { uri, version } = one.document
          return { textDocument: { uri, version }, edits: textEdits(one) }
        })
      }
    : { changes: Object.fromEntries(changed.map((one) => [one.document.uri, textEdits(one)])) }

/** The code actions for a suggestion. `asked`: the document that the editor asked about. */
export const actionsOf = (
  suggestion: Suggestion,
  { caret, client, documents }: ActionsFor
): ReadonlyArray<CodeAction | Command> => {
  const { id, kind } = suggestion
  if (kind === "jump") {
    if (!client.showsDocuments) return []
    const title = `Go to line ${suggestion.position.line + 1}${inFile(suggestion.uri, caret.uri)}`
    return [acting(commandOf(commands.jump, title, id), client)]
  }
  const changed = editsOf(suggestion, documents)
  if (changed === undefined) return []
  const title = titleOf(suggestion, changed) + (kind === "edit" ? inFile(suggestion.uri, caret.uri) : "")
  const apply: ReadonlyArray<CodeAction | Command> = client.hasActions
    ? [
        {
          title,
          kind: actionKind,
          edit: workspaceEditOf(changed, client),
          command: commandOf(commands.accept, title, id)
        }
      ]
    : client.appliesEdits
      ? [commandOf(commands.apply, title, id)]
      : []
  const line = kind === "edit" ? suggestion.edits[0]?.range.start.line : undefined
  const isElsewhere = line !== undefined && (line !== caret.position.line || suggestion.uri !== caret.uri)
  if (!isElsewhere || !client.showsDocuments) return apply
  const look = `Look at line ${line + 1}${inFile(suggestion.uri, caret.uri)}`
  return [...apply, acting(commandOf(commands.show, look, id), client)]
}

interface ActionsFor {
  readonly caret: { readonly uri: string; readonly position: Position }
  readonly client: LspClient
  /** All documents that are open. */
  readonly documents: ReadonlyArray<OpenText>
}

const acting = (command: Command, { hasActions }: LspClient): CodeAction | Command =>
  hasActions ? { title: command.title, kind: actionKind, command } : command

const inFile = (uri: string, own: string): string =>
  uri === own ? "" : ` of ${oneLine(decoded(uri.slice(uri.lastIndexOf("/") + 1)), 60)}`

const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
