/** What an editor does with a suggestion: accept it, have it applied, follow it, look at its place. */
import type { RpcError } from "@signalbox/acp/JsonRpc"
import type { JsonRpcPeer } from "@signalbox/acp/JsonRpcPeer"
import type { Suggestion } from "@signalbox/acp/NesSchema"
import type { Lines, Position } from "@signalbox/acp/Positions"
import * as Effect from "effect/Effect"
import type { ApplyWorkspaceEditParams, ShowDocumentParams } from "vscode-languageserver-protocol"
import type { DocumentRefused } from "../../editing/Documents.ts"
import { commands, type LspClient } from "./LspClient.ts"
import type { LspDocuments } from "./LspDocuments.ts"
import { editsOf, titleOf } from "./LspEdits.ts"
import { workspaceEditOf } from "./LspItems.ts"
import type { LspNotices } from "./LspNotices.ts"
import type { LspOffers } from "./LspOffers.ts"
import * as Params from "./LspParams.ts"

export interface Around {
  readonly client: LspClient
  readonly documents: LspDocuments
  readonly notices: LspNotices
  readonly offers: LspOffers
  readonly peer: Pick<JsonRpcPeer, "call">
}

/** How long an editor may take to show a place, or to apply an edit: it may ask the person first. */
const patience = "1 minute"

const readCommand = Params.reader(Params.ExecuteCommand)
const readApplied = Params.reader(Params.Applied)
const readShown = Params.reader(Params.Shown)

/** Runs a command of the editor. `later` goes on beside the answer. */
export const run = Effect.fnUntraced(function* (
  params: unknown,
  around: Around,
  later: (effect: Effect.Effect<void>) => void
): Effect.fn.Return<null, DocumentRefused | RpcError> {
  const { arguments: given, command } = yield* readCommand(params)
  const { documents, notices, offers } = around
  const id = String(given?.[0])
  // The change of an editor that accepts is held until it has said so. For anything else, what was typed counts first.
  if (command !== commands.accept) yield* documents.settle
  const suggestion = command === commands.accept ? offers.find(id) : current(id, around)
  if (suggestion === undefined) {
    yield* notices.note("The suggestion is out of date.")
    return null
  }
  switch (command) {
    case commands.accept:
      yield* accepted(suggestion, around, later)
      return null
    case commands.apply:
      if (yield* applied(suggestion, around)) yield* accepted(suggestion, around, later)
      return null
    case commands.jump:
      if (suggestion.kind === "jump" && (yield* shown(suggestion.uri, suggestion.position, around)))
        yield* documents.accept(id)
      return null
    case commands.show: {
      const place = suggestion.kind === "edit" ? suggestion.edits[0]?.range.start : undefined
      if (place !== undefined) yield* shown(suggestion.uri, place, around)
      return null
    }
    default:
      yield* notices.note(`There is no command ${command}.`)
      return null
  }
})

/** A suggestion for the texts as they are now: of an insertion whose beginning was typed, it is the rest. */
const current = (id: string, { documents, offers }: Around): Suggestion | undefined => {
  const open = documents.find(id)
  return open?.kind === "edit" ? open : open && offers.find(id)
}

const accepted = Effect.fnUntraced(function* (
  suggestion: Suggestion,
  around: Around,
  later: (effect: Effect.Effect<void>) => void
) {
  const { client, documents, notices, offers } = around
  const before = offers.textOf(suggestion)
  const wasOpen = yield* documents.accept(suggestion.id)
  if (!wasOpen)
    return yield* notices.note(
      "The agent has not heard that the suggestion was accepted: it was out of date, or the agent had ended."
    )
  if (suggestion.kind !== "edit" || !client.showsDocuments) return
  const cursor = suggestion.cursorPosition
  if (cursor === undefined || cursor === null) return
  const natural = before && endOf(suggestion, before.lines)
  if (natural?.line === cursor.line && natural.character === cursor.character) return
  // The editor may show a place only when the command is done.
  later(Effect.asVoid(shown(suggestion.uri, cursor, around)))
})

/** The place of the caret when an editor has replaced the text of one edit. */
const endOf = ({ edits }: Extract<Suggestion, { readonly kind: "edit" }>, lines: Lines): Position | undefined => {
  const [edit, ...more] = edits
  if (edit === undefined || more.length > 0) return undefined
  return lines.edit(edits).positionAt(lines.offsetAt(edit.range.start) + edit.newText.length)
}

/** Has the editor apply a suggestion. Returns whether it did. */
const applied = Effect.fnUntraced(function* (suggestion: Suggestion, { client, documents, peer }: Around) {
  if (suggestion.kind === "jump") return false
  const changed = editsOf(suggestion, documents.all())
  if (changed === undefined) return false
  const params: ApplyWorkspaceEditParams = {
    label: titleOf(suggestion, changed),
    edit: workspaceEditOf(changed, client)
  }
  return yield* peer.call("workspace/applyEdit", params).pipe(
    Effect.flatMap(readApplied),
    Effect.map(({ applied }) => applied),
    Effect.timeout(patience),
    Effect.catch(() => Effect.succeed(false))
  )
})

/** Has the editor show a place. Returns whether it did. */
const shown = (uri: string, at: Position, { notices, peer }: Around): Effect.Effect<boolean> => {
  const params: ShowDocumentParams = { uri, takeFocus: true, selection: { start: at, end: at } }
  return peer.call("window/showDocument", params).pipe(
    Effect.flatMap(readShown),
    Effect.map(({ success }) => success),
    Effect.timeout(patience),
    Effect.catch(() => Effect.succeed(false)),
    Effect.tap((success) => (success ? Effect.void : notices.note(`The editor did not show line ${at.line + 1}.`)))
  )
}
