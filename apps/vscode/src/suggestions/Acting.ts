/** What people do with the shown suggestion by keys. */
import { resolvePath } from "@signalbox/contracts/Paths"
import { sentencesOf } from "@signalbox/contracts/Problem"
import type { SuggestedPlaces } from "@signalbox/contracts/Suggestions"
import { messageOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import * as vscode from "vscode"
import { plain } from "../words/Plain.ts"
import { editOf, isNear, type Offer, type OfferedEdit } from "./Offer.ts"
import * as OtherPlaces from "./OtherPlaces.ts"
import { sceneOf } from "./OpenText.ts"
import type { Shown, ShownOffers } from "./Shown.ts"

export interface Acting {
  /** Accepts what is shown. What is far is gone to first. */
  readonly accept: () => Promise<void>
  readonly reject: () => void
  /** Whether something is being accepted. Further keys do nothing then. */
  readonly isBusy: () => boolean
}

const changedSince = "The text has changed since, so nothing was changed."

const tell = (words: string): void => void vscode.window.showInformationMessage(plain(words))

/** Puts the caret somewhere, in the middle of what is seen. */
const goTo = (editor: vscode.TextEditor, position: vscode.Position): void => {
  const place = editor.document.validatePosition(position)
  editor.selection = new vscode.Selection(place, place)
  editor.revealRange(new vscode.Range(place, place), vscode.TextEditorRevealType.InCenterIfOutsideViewport)
}

/** One step for undo. Returns why nothing was done: the edit is for this text alone. */
const apply = async (
  editor: vscode.TextEditor,
  { caret, changes, version }: OfferedEdit
): Promise<string | undefined> => {
  const { document } = editor
  if (document.version !== version) return changedSince
  const isDone = await editor.edit(
    (builder) => {
      for (const { from, insert, to } of changes)
        builder.replace(new vscode.Range(document.positionAt(from), document.positionAt(to)), insert)
    },
    { undoStopBefore: true, undoStopAfter: true }
  )
  if (isDone) goTo(editor, document.positionAt(caret))
  if (isDone) return undefined
  return document.version === version ? "VS Code has not made the edit. The file may be read-only." : changedSince
}

/** Opens a file with the caret at a place. Undefined if that can't be, and people read why. */
const show = async (uri: vscode.Uri, at: vscode.Position): Promise<vscode.TextEditor | undefined> => {
  try {
    return await vscode.window.showTextDocument(uri, { selection: new vscode.Range(at, at) })
  } catch (error) {
    tell(`${vscode.workspace.asRelativePath(uri)} was not opened. ${messageOf(error)}`)
    return undefined
  }
}

/** The places that the server knows of a suggestion. Undefined if it says none, and people read why. */
const placesOf = ({ desk }: Shown, id: string): Promise<SuggestedPlaces | undefined> =>
  Effect.runPromise(
    Effect.match(desk.places(id), {
      onSuccess: (places) => places,
      onFailure: ({ problem }) => {
        tell(`The places of the suggestion are not known. ${sentencesOf(problem)}`)
        return undefined
      }
    })
  )

/** Why places are missing, in sentences. Empty if none is. */
const whyLeftOut = ({ cut }: SuggestedPlaces, { changed, unread }: OtherPlaces.FoundPlaces): string =>
  [
    cut ?? "",
    changed > 0 ? `Places that have changed since, and were left out: ${changed}.` : "",
    unread > 0 ? `Places in files that can't be read: ${unread}.` : ""
  ]
    .filter((sentence) => sentence !== "")
    .join(" ")

export const make = (shown: ShownOffers): Acting => {
  /** The suggestion that is being accepted. */
  let running: Shown | undefined

  /** Shows an edit of another file there. The next key accepts it. */
  const goElsewhere = async (now: Shown, { id, suggestion }: Extract<Offer, { readonly type: "elsewhere" }>) => {
    const { desk, folder } = now
    const uri = vscode.Uri.file(resolvePath(suggestion.path, folder))
    if (suggestion.kind === "jump") {
      const { character, line } = suggestion.position
      const opened = await show(uri, new vscode.Position(line, character))
      if (shown.now() === now) shown.clear()
      if (opened === undefined) return desk.end(id, "ignored")
      desk.end(id, "accepted")
      // Whoever suggests a place often has an edit for it.
      return desk.moved()
    }
    const places = await placesOf(now, id)
    if (places === undefined || shown.now() !== now) return
    const found = await OtherPlaces.find(folder, places)
    if (shown.now() !== now) return
    const [place] = found.files[0]?.places ?? []
    const leave = (why: string) => {
      desk.end(id, "ignored")
      shown.clear()
      tell(`The suggested edit of ${vscode.workspace.asRelativePath(uri)} was left out. ${why}`)
    }
    if (place === undefined || found.changed + found.unread > 0)
      return leave(whyLeftOut(places, found) || "The server names no place for it.")
    const { start } = OtherPlaces.rangeOf(place)
    const editor = await show(uri, start)
    if (editor === undefined) {
      if (shown.now() === now) shown.clear()
      return desk.end(id, "ignored")
    }
    // People have gone on to another file meanwhile.
    if (vscode.window.activeTextEditor !== editor) return
    const offer = editOf({ ...sceneOf(editor), hasGhosts: false }, suggestion)
    if (offer === undefined) return leave("It changes nothing there, or its parts overlap.")
    shown.put({ ...now, editor, offer, line: editor.selection.active.line })
  }

  /** Lets people choose among all places, in VS Code's own list of changes. */
  const choose = async (now: Shown, { id, suggestion }: Extract<Offer, { readonly type: "places" }>) => {
    const places = await placesOf(now, id)
    if (places === undefined || shown.now() !== now) return
    const found = await OtherPlaces.find(now.folder, places)
    if (shown.now() !== now) return
    const { files } = found
    const why = whyLeftOut(places, found)
    shown.clear()
    if (files.length === 0) {
      now.desk.end(id, "ignored")
      return tell(`No place of the suggestion can be changed. ${why || "The server names none."}`)
    }
    const label = suggestion.kind === "rename" ? `Rename to ${suggestion.newName}` : "Replace"
    // People may go on with other things while the list is open.
    running = undefined
    shown.expect(id, now.desk.end, files)
    const isDone = await vscode.workspace.applyEdit(OtherPlaces.editOf(files, plain(label)))
    // The changes may have another form than the places, so nobody has seen one of them.
    if (shown.expectNothing(id)) now.desk.end(id, isDone ? "accepted" : "rejected")
    if (isDone && why !== "") tell(why)
  }

  const acceptIt = async (now: Shown): Promise<void> => {
    const { desk, editor, offer } = now
    switch (offer.type) {
      case "ghost":
        return void vscode.commands.executeCommand("editor.action.inlineSuggest.commit")
      case "edit": {
        if (!isNear(editor.document.getText(), editor.selection.active, offer))
          return goTo(editor, editor.document.positionAt(offer.changes[0]?.from ?? 0))
        const why = await apply(editor, offer)
        if (why !== undefined) tell(why)
        return
      }
      case "jump":
        desk.end(offer.id, "accepted")
        shown.clear()
        return goTo(editor, new vscode.Position(offer.position.line, offer.position.character))
      case "elsewhere":
        return goElsewhere(now, offer)
      case "places":
        return choose(now, offer)
    }
  }

  return {
    accept: async () => {
      const now = shown.now()
      if (now === undefined || running !== undefined) return
      running = now
      try {
        await acceptIt(now)
      } finally {
        if (running === now) running = undefined
      }
    },
    isBusy: () => running !== undefined,
    reject: () => {
      const now = shown.now()
      if (now === undefined) return
      now.desk.end(now.offer.id, "rejected")
      shown.clear()
      void vscode.commands.executeCommand("editor.action.inlineSuggest.hide")
    }
  }
}
