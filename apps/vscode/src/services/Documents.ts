/**
 * Reads and writes files for an agent as the editor has them: what is not saved wins over the disk, and a write can be undone.
 */
import { ErrorCode, RpcError } from "@signalbox/acp/JsonRpc"
import { changeBetween } from "@signalbox/contracts/SmallestChange"
import { codeOf, messageOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import { readFile } from "node:fs/promises"
import * as path from "node:path"
import * as vscode from "vscode"
import { byteOrderMark, isOnDisk, openAt, untilFresh, withoutMark } from "../editor/FreshDocument.ts"
import type { Log } from "../log/Log.ts"
import { type Excerpt, type LineEnd, lineEndOf, linesOf, withLineEnd } from "./TextLines.ts"
import * as ThreadFolders from "./ThreadFolders.ts"

export interface Documents {
  readonly read: (path: string, excerpt: Excerpt) => Effect.Effect<string, RpcError>
  /** Completes when the disk has the text. Interrupting it has an effect until the editor is asked. */
  readonly write: (path: string, content: string) => Effect.Effect<void, RpcError>
}

export interface Options {
  readonly folders: () => ReadonlyArray<string>
  /** The agent's name for people. */
  readonly agent: string
  readonly log: Log
}

/** How often a write is tried again if the person types at the same moment. */
const mostTries = 5

export const make = ({ agent, folders, log }: Options): Documents => {
  /** The version of each document that the agent has read or written last. */
  const seen = new WeakMap<vscode.TextDocument, number>()

  const read = async (given: string, excerpt: Excerpt): Promise<string> => {
    const place = await ThreadFolders.placeOf(folders(), given)
    const document = openAt(given, place)
    if (document?.isDirty !== true) return linesOf(decode(given, await bytesOf(place)), excerpt)
    seen.set(document, document.version)
    return linesOf(textOf(document), excerpt)
  }

  /** The document to change. Undefined if there is none yet. */
  const documentFor = async (given: string, place: string): Promise<vscode.TextDocument | undefined> => {
    const open = openAt(given, place)
    if (open?.isDirty === true) return open
    if (!(await isThere(place))) return undefined
    if (open !== undefined) await untilFresh(open, place, isOnDisk)
    return open ?? (await vscode.workspace.openTextDocument(vscode.Uri.file(given)))
  }

  const write = async (given: string, content: string, signal: AbortSignal): Promise<void> => {
    const place = await ThreadFolders.placeOf(folders(), given)
    for (let tries = 0; tries < mostTries; tries++) {
      const document = await documentFor(given, place)
      if (signal.aborted) return
      if (document === undefined) {
        if (!(await create(given, content))) continue
        return checkDisk(given, place, content, undefined)
      }
      const isOverUnseen = document.isDirty && seen.get(document) !== document.version
      if (!(await change(document, content))) continue
      seen.set(document, document.version)
      if (isOverUnseen) tellOver(document)
      if (!(await document.save())) throw RpcError.internal(notSaved(given))
      seen.set(document, document.version)
      return checkDisk(given, place, content, document)
    }
    throw RpcError.internal(`${given} changed in VS Code at the same time, so it was not written.`)
  }

  const tellOver = (document: vscode.TextDocument): void => {
    const said = `${agent} wrote ${path.basename(document.fileName)} over changes that were not saved. Undo brings them back.`
    log.warn("editor", said, { path: document.fileName })
    void vscode.window.showWarningMessage(said, "Show the File").then((chosen) => {
      if (chosen !== undefined) void vscode.window.showTextDocument(document)
    })
  }

  /** What the disk has after the editor's success. A text that the editor has formatted is one. */
  const checkDisk = async (
    given: string,
    place: string,
    content: string,
    document: vscode.TextDocument | undefined
  ): Promise<void> => {
    const bytes = await bytesOf(place)
    if (Buffer.from(content).equals(bytes)) return log.info("editor", "A file was written", { path: given })
    if (document === undefined || !(await isOnDisk(document, bytes)))
      throw RpcError.internal(`The disk has another text of ${given} than VS Code has saved. Read it before you go on.`)
    log.info("editor", "VS Code saved a file with another text than the agent gave", { path: given })
  }

  return {
    read: (given, excerpt) => attempt(() => read(given, excerpt)),
    write: (given, content) => attempt((signal) => write(given, content, signal))
  }
}

const attempt = <A>(what: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, RpcError> =>
  Effect.tryPromise({
    try: what,
    catch: (error) => {
      if (error instanceof RpcError) return error
      const code = codeOf(error) === "ENOENT" ? ErrorCode.ResourceNotFound : ErrorCode.InternalError
      return new RpcError({ code, message: messageOf(error) })
    }
  })

const isThere = (place: string): PromiseLike<boolean> =>
  vscode.workspace.fs.stat(vscode.Uri.file(place)).then(
    () => true,
    () => false
  )

const bytesOf = (place: string): Promise<Buffer> => readFile(place)

/** The text as the server reads it: with the mark at its beginning. */
const decode = (given: string, bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw RpcError.invalidParams(`${given} is no text in UTF-8.`)
  }
}

const hasMark = ({ encoding }: vscode.TextDocument): boolean => encoding === "utf8bom"

const textOf = (document: vscode.TextDocument): string =>
  `${hasMark(document) ? byteOrderMark : ""}${document.getText()}`

/** A new file, with the folders above it. False if there is one meanwhile. */
const create = (given: string, content: string): Thenable<boolean> => {
  const edit = new vscode.WorkspaceEdit()
  edit.createFile(vscode.Uri.file(given), { contents: Buffer.from(content) })
  return vscode.workspace.applyEdit(edit)
}

/** Changes the text of a document, as little of it as possible. False if it has changed meanwhile. */
const change = async (document: vscode.TextDocument, content: string): Promise<boolean> => {
  const present: LineEnd = document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n"
  const wanted = lineEndOf(content) ?? present
  const text = withLineEnd(hasMark(document) ? withoutMark(content) : content, present)
  const found = changeBetween(document.getText(), text)
  const edits: Array<vscode.TextEdit> = []
  if (found !== undefined) {
    const range = new vscode.Range(document.positionAt(found.from), document.positionAt(found.to))
    edits.push(vscode.TextEdit.replace(range, found.insert))
  }
  if (wanted !== present)
    edits.push(vscode.TextEdit.setEndOfLine(wanted === "\n" ? vscode.EndOfLine.LF : vscode.EndOfLine.CRLF))
  if (edits.length === 0) return true
  const edit = new vscode.WorkspaceEdit()
  edit.set(document.uri, edits)
  return vscode.workspace.applyEdit(edit)
}

const notSaved = (given: string): string =>
  `VS Code has the text of ${given}, and could not save it. The person sees why.`
