/** A server's wishes how to hear of documents: declared when it began, or registered later. */
import * as Predicate from "effect/Predicate"
import type { Document } from "../documents/Document.ts"
import type { Registrations } from "./Registrations.ts"

/** How a server takes changes: not at all, as the whole text, or as ranges (`TextDocumentSyncKind`). */
export type SyncKind = "none" | "full" | "incremental"

export interface SyncOptions {
  readonly opensAndCloses: boolean
  readonly kind: SyncKind
  /** Whether the server wants to hear that a document is about to be saved. */
  readonly willSave: boolean
  /** Whether the server hears of saved documents, and with their text. */
  readonly saves: "none" | "plain" | "text"
}

const kinds: ReadonlyArray<SyncKind> = ["none", "full", "incremental"]

const kindOf = (value: unknown): SyncKind => (typeof value === "number" ? kinds[value] : undefined) ?? "none"

const savesOf = (save: unknown): SyncOptions["saves"] => {
  if (save === true) return "plain"
  if (!Predicate.isObject(save)) return "none"
  return save["includeText"] === true ? "text" : "plain"
}

/** Reads `textDocumentSync`, which is a number in old servers. */
const declaredOf = (sync: unknown): SyncOptions => {
  if (typeof sync === "number") return { opensAndCloses: true, kind: kindOf(sync), willSave: false, saves: "plain" }
  const { change, openClose, save, willSave } = Predicate.isObject(sync) ? sync : {}
  return {
    opensAndCloses: openClose === true,
    kind: kindOf(change),
    willSave: willSave === true,
    saves: savesOf(save)
  }
}

/** The options for one document. */
export const of = ({ declared, offer }: Registrations, document: Document): SyncOptions => {
  const own = declaredOf(declared("textDocumentSync"))
  const change = offer("textDocument/didChange", document)
  const save = offer("textDocument/didSave", document)
  return {
    opensAndCloses: own.opensAndCloses || offer("textDocument/didOpen", document) !== undefined,
    kind: Predicate.isObject(change) ? kindOf(change["syncKind"]) : own.kind,
    willSave: own.willSave || offer("textDocument/willSave", document) !== undefined,
    saves: save === undefined ? own.saves : savesOf(save)
  }
}
