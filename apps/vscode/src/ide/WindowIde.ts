/** What a window of VS Code knows about code, for the folders of one session. */
import type { FileRange } from "@signalbox/contracts/IdeOperation"
import { isWithin } from "@signalbox/contracts/Paths"
import type { SessionFolder } from "@signalbox/ide/files/SessionFolder"
import type { Ide } from "@signalbox/ide/Ide"
import type { CodeServers, FoundInFile } from "@signalbox/ide/servers/CodeServer"
import * as LanguageServerIde from "@signalbox/ide/servers/LanguageServerIde"
import * as Places from "@signalbox/ide/servers/Places"
import { textual } from "@signalbox/ide/servers/SymbolSearch"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as vscode from "vscode"
import * as EditorServer from "./EditorServer.ts"
import * as FileNames from "./FileNames.ts"
import { findingOf, firstOf } from "./FindingShape.ts"
import type { LanguageStart } from "./LanguageStart.ts"
import { rangeOf } from "./Places.ts"
import * as Providers from "./Providers.ts"
import type { Reports } from "./Reports.ts"
import * as TypeScriptServer from "./TypeScriptServer.ts"

export interface Options {
  readonly folder: SessionFolder
  readonly languages: LanguageStart
  readonly reports: Reports
  /** The text editor that the person was in last. */
  readonly editor: () => vscode.TextEditor | undefined
}

/** Who has said what is found. */
const name = "VS Code"

/** Most findings of a whole window. */
const mostFindings = 1000

/** Most characters of a selection. Of a longer one only the place is returned. */
const longestSelection = 256 * 1024

const isByOthers = ({ source }: FoundInFile["items"][number]): boolean => source !== TypeScriptServer.source

/** Languages that VS Code can name. Which of them it knows more of depends on extensions. */
const codeLanguages = Effect.promise(async () => {
  const all = await vscode.languages.getLanguages()
  return all.filter((language) => !textual.has(language))
})

export const make = Effect.fnUntraced(function* ({ editor, folder, languages, reports }: Options) {
  const names = FileNames.make(folder.folders)
  const { withoutLinks } = names
  const providers = Providers.make(names, languages)
  // The window may have other folders than the session.
  const has = (place: string) => folder.roots.some((root) => isWithin(root, place)) && !folder.isProtected(place)
  const server = EditorServer.make(providers, languages, { has, withoutLinks })

  const foundIn = (uri: vscode.Uri, items: FoundInFile["items"]): FoundInFile => ({
    path: withoutLinks(uri.fsPath),
    server: name,
    isCurrent: true,
    items
  })
  const listed = (uri: vscode.Uri) => vscode.languages.getDiagnostics(uri).map(findingOf)

  const servers: CodeServers = {
    forFile: () => Effect.succeed([server]),
    forFolder: () => Effect.succeed([server]),
    diagnostics: {
      of: Effect.fnUntraced(function* (path) {
        const document = yield* providers.document(path)
        const { uri } = document
        yield* Effect.promise(() => languages.begun(document))
        const own = yield* Effect.promise(() => TypeScriptServer.findings(document))
        const others = () => (own === undefined ? listed(uri) : listed(uri).filter(isByOthers))
        // Whoever else has found something may not have seen the present text.
        const isKnown = own !== undefined && others().length === 0 ? true : yield* reports.settled(uri.toString())
        return { found: [foundIn(uri, [...(own ?? []), ...others()])], waitingFor: isKnown ? [] : [name] }
      }),
      // What its list of problems has, which may be of files that nobody has asked about.
      everywhere: () =>
        Effect.sync(() =>
          firstOf(vscode.languages.getDiagnostics(), { has, withoutLinks }, mostFindings).map((found) => ({
            ...found,
            server: name,
            isCurrent: true
          }))
        )
    }
  }

  const selection = Effect.gen(function* (): Effect.fn.Return<FileRange | undefined> {
    const chosen = editor()
    if (chosen === undefined || chosen.selection.isEmpty || chosen.document.uri.scheme !== "file") return undefined
    const { document, selection: range } = chosen
    const place = yield* Effect.option(folder.follow(document.uri.fsPath))
    if (Option.isNone(place)) return undefined
    const content = document.getText(range)
    return {
      ...Places.rangeOf(folder, place.value, rangeOf(range)),
      ...(content.length <= longestSelection && { content })
    }
  })

  const ide: Ide = {
    ...LanguageServerIde.make({
      servers,
      definitions: [{ languages: yield* codeLanguages }],
      missing: [],
      advice: (language) => `VS Code knows no such language. Install an extension for ${language} in VS Code.`,
      folder
    }),
    selection
  }
  return ide
})
