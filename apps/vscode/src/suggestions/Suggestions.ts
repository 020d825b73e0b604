/** Suggestions of the next edit in one window: a desk for each of its folders, and one place where they are shown. */
import { sentencesOf } from "@signalbox/contracts/Problem"
import type { TextPosition } from "@signalbox/contracts/DocumentReport"
import { isWithin } from "@signalbox/contracts/Paths"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as Queue from "effect/Queue"
import * as vscode from "vscode"
import type { Log } from "../log/Log.ts"
import type { ServerLink } from "../server/ServerLink.ts"
import { iconless, plain } from "../words/Plain.ts"
import * as Acting from "./Acting.ts"
import * as Caret from "./Caret.ts"
import * as Desk from "./Desk.ts"
import * as Drawing from "./Drawing.ts"
import * as GreyText from "./GreyText.ts"
import { offerOf } from "./Offer.ts"
import { openOf, placeOf, rangeOf, sceneOf, tabbed } from "./OpenText.ts"
import * as Shown from "./Shown.ts"
import * as StatusItem from "./StatusItem.ts"
import * as StatusWords from "./StatusWords.ts"

export interface Suggestions extends vscode.Disposable {
  /** The folders of the window, the trust in them or the settings have changed. */
  readonly look: () => void
  /** There is no connection to the server any more. */
  readonly lost: () => void
  /** Suggests until it is interrupted. Never ends by itself. */
  readonly run: Effect.Effect<never>
}

export interface Options {
  readonly link: Pick<ServerLink, "followAtOnce" | "once">
  readonly log: Log
  /** The folders in which edits are suggested. Without trust there are none. */
  readonly folders: () => ReadonlyArray<string>
}

/** Whether people have made a change, and not the disk: a text that is loaded again is saved, and so may be one after an undo. */
const isByPeople = ({ isDirty }: vscode.TextDocument, reason: vscode.TextDocumentChangeReason | undefined): boolean =>
  (isDirty || reason !== undefined) && vscode.window.state.focused

/** Milliseconds that an answer without a suggestion stands in the status bar. */
const readMs = 5000

export const make = ({ folders, link, log }: Options): Suggestions => {
  const drawing = Drawing.make()
  const shown = Shown.make(drawing)
  const acting = Acting.make(shown)
  const item = StatusItem.make()
  const desks = new Map<string, Desk.Desk>()
  const changes = Effect.runSync(Queue.sliding<void>(1))

  /** The innermost folder of a file, if edits are suggested there. */
  const folderOf = ({ uri }: vscode.TextDocument): string | undefined =>
    uri.scheme === "file"
      ? [...desks.keys()]
          .filter((folder) => isWithin(folder, uri.fsPath))
          .toSorted((one, other) => other.length - one.length)[0]
      : undefined
  const deskOf = (document: vscode.TextDocument): Desk.Desk | undefined => desks.get(folderOf(document) ?? "")

  /** The caret that the latest change has left, until VS Code says it. */
  let left:
    | { readonly document: vscode.TextDocument; readonly version: number; readonly caret: TextPosition }
    | undefined
  const caretIn = ({ document, selection }: vscode.TextEditor): TextPosition =>
    left?.document === document && left.version === document.version ? left.caret : placeOf(selection.active)

  const showState = (): void => {
    const document = vscode.window.activeTextEditor?.document
    const desk = document && deskOf(document)
    item.show(document && desk && StatusWords.of(desk.state(), document.uri.fsPath))
  }

  const make = (folder: string): Desk.Desk => {
    const editorHere = (): vscode.TextEditor | undefined => {
      const editor = vscode.window.activeTextEditor
      return editor !== undefined && folderOf(editor.document) === folder ? editor : undefined
    }
    const desk = Desk.make({
      folder,
      link,
      log,
      documents: () => {
        const tabs = tabbed()
        return vscode.workspace.textDocuments
          .filter((document) => tabs.has(document.uri.toString()) && folderOf(document) === folder)
          .map(openOf)
      },
      shown: () => {
        const editor = editorHere()
        if (editor === undefined) return undefined
        const { document, selections, visibleRanges } = editor
        return {
          ...openOf(document),
          position: caretIn(editor),
          visible: visibleRanges.map(rangeOf),
          isPlain: selections.length === 1 && editor.selection.isEmpty
        }
      },
      show: (path, suggestions, isAwaited) => {
        const editor = editorHere()
        if (editor === undefined) return
        const scene = { ...sceneOf(editor), path, caret: caretIn(editor) }
        const [offer] = suggestions.flatMap((suggestion) => offerOf(scene, suggestion) ?? [])
        // Suggestions that nobody sees end here.
        for (const { id } of suggestions) if (id !== offer?.id) desk.end(id, "ignored")
        if (offer === undefined) return shown.clear()
        shown.put({ editor, folder, desk, offer, line: scene.caret.line })
        if (offer.type === "ghost" && !isAwaited)
          void vscode.commands.executeCommand("editor.action.inlineSuggest.trigger")
      },
      clear: () => {
        if (shown.now()?.folder === folder) shown.clear()
      },
      nothing: (words) => void vscode.window.setStatusBarMessage(iconless(words), readMs),
      onState: showState
    })
    return desk
  }

  const run = Effect.gen(function* () {
    const running = yield* FiberMap.make<string, void>()
    while (true) {
      const wanted = new Set(folders())
      for (const folder of desks.keys())
        if (!wanted.has(folder)) {
          desks.delete(folder)
          if (shown.now()?.folder === folder) shown.clear()
          yield* FiberMap.remove(running, folder)
        }
      for (const folder of wanted)
        if (!desks.has(folder)) {
          const desk = make(folder)
          desks.set(folder, desk)
          yield* FiberMap.run(running, folder, desk.run)
        }
      showState()
      yield* Queue.take(changes)
    }
  }).pipe(Effect.scoped)

  const lookAll = (): void => {
    for (const desk of desks.values()) desk.look()
  }

  /** Turns suggestions off or on for the page and all editors. */
  const turn = async (): Promise<void> => {
    const states = [...desks.values()].map((desk) => desk.state().source)
    const isOn = states.some(({ type }) => type === "on")
    if (!isOn && !states.some((source) => source.type === "off" && source.turnedOff !== undefined)) {
      const why = states.flatMap((source) => (source.type === "off" ? [source.why] : []))[0]
      return void vscode.window.showInformationMessage(
        plain(why ?? "No Signalbox server is connected, or no folder that you trust is open.")
      )
    }
    await Effect.runPromise(
      link
        .once((client) => client.turnSuggestions({ on: !isOn }))
        .pipe(
          Effect.match({
            onSuccess: () => undefined,
            onFailure: ({ problem }) => void vscode.window.showErrorMessage(plain(sentencesOf(problem)))
          })
        )
    )
  }

  const parts: ReadonlyArray<vscode.Disposable> = [
    vscode.languages.registerInlineCompletionItemProvider({ scheme: "file" }, GreyText.make(deskOf, shown)),
    vscode.commands.registerCommand("signalbox.acceptSuggestion", acting.accept),
    vscode.commands.registerCommand("signalbox.rejectSuggestion", acting.reject),
    vscode.commands.registerCommand("signalbox.suggest", () => {
      const document = vscode.window.activeTextEditor?.document
      if (document !== undefined) deskOf(document)?.ask()
    }),
    vscode.commands.registerCommand("signalbox.turnSuggestions", turn),
    vscode.workspace.onDidChangeTextDocument(({ contentChanges, document, reason }) => {
      if (contentChanges.length === 0) {
        // Other ends of lines make another version without a change.
        const now = shown.now()
        if (now?.editor.document === document && now.offer.version !== document.version) shown.clear()
        const desk = deskOf(document)
        // VS Code says after the first change of a saved text that it is not saved any more: people have made that change.
        if (vscode.window.activeTextEditor?.document === document && isByPeople(document, reason))
          return desk?.changed(document.uri.fsPath, [], true)
        return desk?.look()
      }
      shown.changed(document, contentChanges)
      const desk = deskOf(document)
      if (desk === undefined) return
      const editor = vscode.window.activeTextEditor
      const told = contentChanges.map(({ range, text }) => ({ range: rangeOf(range), text }))
      if (editor?.document === document) {
        const caret = Caret.after(left?.document === document ? left.caret : placeOf(editor.selection.active), told)
        left = caret && { document, version: document.version, caret }
      }
      desk.changed(document.uri.fsPath, told, editor?.document === document && isByPeople(document, reason))
    }),
    vscode.workspace.onDidSaveTextDocument((document) => deskOf(document)?.saved(document.uri.fsPath)),
    vscode.workspace.onDidOpenTextDocument(lookAll),
    vscode.workspace.onDidCloseTextDocument(lookAll),
    vscode.window.tabGroups.onDidChangeTabs(lookAll),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      // VS Code may say it after something is shown there already.
      if (shown.now()?.editor !== editor) shown.clear()
      showState()
      lookAll()
    }),
    vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => deskOf(textEditor.document)?.look()),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (left?.document === textEditor.document) left = undefined
      if (textEditor !== vscode.window.activeTextEditor) return
      // An answer would replace what is about to be shown where the caret was put.
      if (acting.isBusy()) return
      // People who look at a suggestion are not asked about again.
      if (shown.moved(textEditor)) return
      deskOf(textEditor.document)?.moved()
    }),
    drawing,
    item
  ]
  return {
    look: () => void Queue.offerUnsafe(changes, undefined),
    lost: () => {
      for (const desk of desks.values()) desk.lost()
    },
    run,
    dispose: () => {
      for (const part of parts) part.dispose()
    }
  }
}
