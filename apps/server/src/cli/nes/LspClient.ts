/** What an editor can do, as it says when it starts `signalbox nes lsp`, and what it gets as the answer. */
import * as Arr from "effect/Array"
import { statSync } from "node:fs"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import type { InitializeResult } from "vscode-languageserver-protocol"
import { version } from "../../base/Version.ts"
import type { SuggestionPlace } from "../../editing/SuggestionPlace.ts"
import type { Initialize } from "./LspParams.ts"

export interface LspClient {
  /** Shows completions as text in the line (LSP 3.18). */
  readonly hasInline: boolean
  /** Takes code actions with their edit, not commands only. */
  readonly hasActions: boolean
  /** Applies edits that the server sends by itself. */
  readonly appliesEdits: boolean
  /** Takes edits that name the version of their document. */
  readonly hasVersions: boolean
  /** Opens a place on request. */
  readonly showsDocuments: boolean
  /** The folders of the workspace, absolute. */
  readonly roots: Arr.NonEmptyReadonlyArray<string>
}

/** The commands that an editor sends back. Their argument is the id of a suggestion. */
export const commands = {
  /** The editor has applied the suggestion. */
  accept: "signalbox.nes.accept",
  /** The editor asks for the edit, since it takes no code actions with edits. */
  apply: "signalbox.nes.apply",
  /** A person follows a suggestion to another place. */
  jump: "signalbox.nes.jump",
  /** A person looks at the place of an edit, which stays open. */
  show: "signalbox.nes.show"
} as const

/** The kind of our code actions. Editors show this kind first. */
export const actionKind = "quickfix"

export const of = (params: typeof Initialize.Type, cwd: string): LspClient => {
  const { textDocument, window, workspace } = params.capabilities ?? {}
  return {
    hasInline: isPresent(textDocument?.inlineCompletion),
    hasActions: isPresent(textDocument?.codeAction?.codeActionLiteralSupport),
    appliesEdits: workspace?.applyEdit === true,
    hasVersions: workspace?.workspaceEdit?.documentChanges === true,
    showsDocuments: window?.showDocument?.support === true,
    roots: rootsOf(params, cwd)
  }
}

/** The kinds beside edits that the editor can show: it follows a jump only if it opens places on request. */
export const kindsOf = ({
  appliesEdits,
  hasActions,
  showsDocuments
}: LspClient): Required<SuggestionPlace>["kinds"] => [
  ...(showsDocuments ? (["jump"] as const) : []),
  ...(hasActions || appliesEdits ? (["rename", "searchAndReplace"] as const) : [])
]

const isPresent = (capability: unknown): boolean => capability !== undefined && capability !== null

/** The folders that the editor names, or the folder that this process was started in. */
const rootsOf = (
  { rootPath, rootUri, workspaceFolders }: typeof Initialize.Type,
  cwd: string
): Arr.NonEmptyReadonlyArray<string> => {
  const named = workspaceFolders?.map(({ uri }) => uri) ?? []
  const paths = named.length > 0 ? named.map(pathOf) : [rootUri ? pathOf(rootUri) : (rootPath ?? undefined)]
  const folders = paths.flatMap((path) => (path === undefined ? [] : folderAt(path)))
  return Arr.isReadonlyArrayNonEmpty(folders) ? folders : [folderAt(cwd)[0] ?? cwd]
}

const pathOf = (uri: string): string | undefined => {
  try {
    return fileURLToPath(uri)
  } catch {
    // It is no file of this machine.
    return undefined
  }
}

const folderAt = (path: string): ReadonlyArray<string> => {
  try {
    // Documents are named as their editor sees them, and so are the folders around them.
    return statSync(path).isDirectory() ? [resolve(path)] : []
  } catch {
    // A folder that is gone has no suggestions.
    return []
  }
}

export const answerTo = ({ hasInline }: LspClient) =>
  ({
    serverInfo: { name: "signalbox", version },
    capabilities: {
      // The one encoding that every editor has.
      positionEncoding: "utf-16",
      textDocumentSync: { openClose: true, change: 2, save: true },
      ...(hasInline && { inlineCompletionProvider: true }),
      codeActionProvider: { codeActionKinds: [actionKind] },
      executeCommandProvider: { commands: Object.values(commands) }
    }
  }) satisfies InitializeResult
