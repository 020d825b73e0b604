/**
 * An open file: its text, what the disk has, and what becomes of both. What the server says, and what people choose, is carried out one
 * after the other. Typing never waits for it.
 */
import type { DocumentFrame, DocumentMerge, DocumentText } from "@signalbox/contracts/Documents"
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { Extension } from "@codemirror/state"
import { announce } from "../browser/announcer.ts"
import { type Follow, makeStore, type Store } from "../browser/Store.ts"
import { problemOf } from "../connection/commands.ts"
import { followDocument, mergeDocument, saveDocument, takeOverDocument } from "../connection/documents.ts"
import { serverNow } from "../connection/link.ts"
import { count } from "../words/figures.ts"
import { type AgentWork, isWriting } from "./authors/AgentWork.ts"
import { changeOf, writtenWords } from "./authors/Author.ts"
import { workChanged } from "./authors/disk.ts"
import { markAuthors } from "./authors/marking.ts"
import { type Base, baseOf } from "./Base.ts"
import { fits, tooLong } from "./bounds.ts"
import * as Buffer from "./Buffer.ts"
import { type DocumentState, initial, isEditable } from "./documentState.ts"
import { KeptText } from "./KeptText.ts"
import { conflictLines, nothingUnsaved } from "./marks.ts"
import * as Unsaved from "./unsaved.ts"

export interface OpenDocument {
  readonly path: string
  readonly state: Store<DocumentState>
  /** Undefined until there is a text. */
  readonly buffer: () => Buffer.Buffer | undefined
  /** Follows the disk until the returned function is called. */
  readonly follow: () => () => void
  readonly save: () => void
  /** Keeps the shown text in a conflict. It is still to be saved. */
  readonly keepMine: () => void
  /** Takes the disk's side of the lines that both sides changed. */
  readonly takeTheirs: () => void
  readonly takeOver: () => void
  /** Gives the unsaved text up. */
  readonly discard: () => Promise<void>
}

/** How often a merge begins again because people typed meanwhile. */
const mostTries = 10

/** `work`: what the agent of the thread does. */
export const open = (
  threadId: ThreadId,
  path: string,
  mayWrite: boolean,
  extensions: (document: OpenDocument) => Extension,
  work: Follow<AgentWork>
): OpenDocument => {
  const address = { threadId, path }
  const name = path.slice(path.lastIndexOf("/") + 1)
  const state = makeStore<DocumentState>(initial)
  let buffer: Buffer.Buffer | undefined
  let base: Base | undefined
  let disk: DocumentText | undefined
  let looked = false
  let isPrepared = false
  let restored = false
  let queue: Promise<void> = Promise.resolve()

  const show = (change: Partial<DocumentState>) => {
    const before = state.get()
    const after = { ...before, ...change }
    state.set(after)
    if (isEditable(after) !== isEditable(before)) buffer?.lock(!isEditable(after))
  }
  /** Does it after all that came before. */
  const then = (act: () => Promise<void> | void) => {
    queue = queue.then(act).catch((error: unknown) => show({ saving: false, failed: problemOf(error) }))
  }
  const isUnsaved = () =>
    buffer !== undefined && base !== undefined && (base.version === null || !buffer.state.doc.eq(base.doc))
  const kept = new KeptText(
    threadId,
    path,
    (notKept) => show({ notKept }),
    () =>
      buffer !== undefined && base !== undefined && isUnsaved()
        ? {
            text: buffer.text,
            lineEnd: buffer.lineEnd,
            encoding: state.get().encoding,
            base: { text: base.text, version: base.version }
          }
        : undefined
  )
  const changed = () => {
    const unsaved = isUnsaved()
    if (unsaved !== state.get().unsaved || buffer?.lineEnd !== state.get().lineEnd)
      show({ unsaved, ...(buffer !== undefined && { lineEnd: buffer.lineEnd }), ...(!unsaved && { merged: false }) })
    kept.soon()
  }
  const make = (text: string) => {
    buffer = Buffer.make(text, extensions(document), changed)
    show({ text: "here", lineEnd: buffer.lineEnd })
    buffer.lock(!isEditable(state.get()))
  }
  /** Has what marks the lines that come from the disk. */
  const prepare = async () => {
    isPrepared ||= await markAuthors(path, work.get(), (...effects) => buffer?.mark(...effects))
  }
  const settle = (from: Base) => {
    base = from
    if (state.get().conflict !== undefined) {
      show({ conflict: undefined })
      buffer?.mark(conflictLines.of([]))
    }
    if (!isUnsaved()) buffer?.mark(nothingUnsaved.of(null))
    changed()
  }

  /** Brings back the unsaved text of a page that is gone. */
  const restore = async () => {
    if (restored || state.get().holder !== "here" || !looked) return
    restored = true
    const left = await Unsaved.leftOf(threadId, path).catch(() => undefined)
    if (left === undefined || isUnsaved()) return
    base = baseOf({ ...left.base, lineEnd: left.lineEnd })
    if (buffer === undefined) make(left.text)
    else buffer.replace(left.text)
    show({ encoding: left.encoding })
    changed()
    await kept.now()
    if (left.page !== kept.page) await Unsaved.forget(threadId, path, left.page).catch(() => {})
  }

  const merged = async (): Promise<DocumentMerge | undefined> => {
    for (let tries = 0; tries < mostTries; tries++) {
      if (buffer === undefined || base === undefined) return undefined
      const { doc } = buffer.state
      const texts = { ...address, base: base.text, mine: buffer.text }
      if (!fits(texts)) return { type: "impossible", why: "The texts are too long." }
      const answer = await mergeDocument(texts)
      disk = answer.disk
      if (buffer.state.doc === doc) return answer.merge
    }
    return undefined
  }

  /** The disk has another text than the one that ours was made from. */
  const meet = async () => {
    await prepare()
    const merge = await merged()
    if (merge === undefined || disk === undefined || buffer === undefined || base === undefined) return
    if (merge.type === "clean") {
      buffer.replace(merge.text, changeOf(disk))
      settle(baseOf(disk))
      if (isUnsaved()) {
        show({ merged: true })
        announce(`${name} changed on disk. The changes are merged with your unsaved text.`)
      }
      return
    }
    const places = merge.type === "conflict" ? merge.places : []
    const others = merge.type === "conflict" ? buffer.replace(merge.mine, changeOf(disk)) : 0
    buffer.mark(conflictLines.of(places))
    show({ conflict: { disk, base, places, others, ...(merge.type === "impossible" && { why: merge.why }) } })
    announce(`${name} changed on disk, in lines that you have changed, too. Nothing is saved until you choose.`)
  }

  const look = async () => {
    looked = true
    await restore()
    if (disk === undefined) return
    const { encoding, readOnly } = disk
    if (buffer === undefined) {
      base = baseOf(disk)
      make(disk.text)
      show({ readOnly, encoding })
    } else if (disk.version === base?.version) {
      show({ readOnly })
      settle(base)
    } else if (!isUnsaved()) {
      await prepare()
      // People may have begun to write meanwhile.
      if (isUnsaved()) return meet()
      base = undefined
      const lines = buffer.replace(disk.text, changeOf(disk))
      show({ readOnly, encoding })
      settle(baseOf(disk))
      const wrote = writtenWords(work.get(), path, changeOf(disk))
      announce(`${name} changed on disk${lines === 0 ? "" : `: ${count(lines, "line")}`}. ${wrote}`)
    } else {
      show({ readOnly })
      await meet()
    }
  }

  const take = async (frame: DocumentFrame) => {
    switch (frame.type) {
      case "text":
        disk = frame.document
        show({ gone: undefined, problem: undefined })
        return look()
      case "gone": {
        disk = undefined
        const { movedTo } = frame
        show({ gone: { ...(movedTo !== undefined && { movedTo }), at: serverNow() }, problem: undefined })
        await look()
        if (buffer === undefined) show({ text: "none" })
        else if (base !== undefined) settle({ ...base, version: null })
        return
      }
      case "refused":
        disk = undefined
        show({ problem: frame.problem, gone: undefined, ...(buffer === undefined && { text: "none" }) })
        return look()
      case "hold": {
        const before = state.get().holder
        show({ holder: frame.holder })
        if (before === "here" && frame.holder === "elsewhere")
          announce(`Another page edits ${name} now.${isUnsaved() ? " Your unsaved text is kept here." : ""}`)
        // What comes back may have been made from an earlier text of the disk.
        return looked ? look() : undefined
      }
    }
  }

  const save = async () => {
    if (buffer === undefined || base === undefined || !isUnsaved() || !isEditable(state.get())) return
    if (state.get().conflict !== undefined) {
      announce(`Nothing is saved until you choose what becomes of ${name}.`)
      return
    }
    const { doc } = buffer.state
    const { text } = buffer
    const failed = tooLong(text, name)
    show({ saving: failed === undefined, failed })
    if (failed !== undefined) return
    const { encoding } = state.get()
    const answer = await saveDocument({ ...address, text, encoding, base: base.version })
    show({ saving: false })
    if (answer.type === "changed") return take(answer.disk.type === "text" ? answer.disk : { type: "gone" })
    disk = answer.document
    show({ gone: undefined, problem: undefined, merged: false })
    settle({ text, doc, version: answer.document.version })
    announce(`${name} is saved.`)
  }

  const document: OpenDocument = {
    path,
    state,
    buffer: () => buffer,
    follow: () => {
      const over = new AbortController()
      followDocument(
        { ...address, write: mayWrite },
        (frames) => frames.forEach((frame) => then(() => (over.signal.aborted ? undefined : take(frame)))),
        (refused) => then(() => take({ type: "refused", problem: problemOf(refused) })),
        over.signal
      )
      const flush = () => void kept.now()
      const look = () => {
        const isWritten = isWriting(work.get(), path)
        if (state.get().isWritten !== isWritten) show({ isWritten })
        buffer?.mark(workChanged.of(work.get()))
      }
      const stopWork = work.subscribe(look)
      look()
      // What Chromium writes to its database during `pagehide` is lost now and then: the page has to write before.
      const leave = (event: BeforeUnloadEvent) => {
        flush()
        if (isUnsaved() && state.get().notKept !== undefined) event.preventDefault()
      }
      addEventListener("beforeunload", leave)
      addEventListener("pagehide", flush)
      return () => {
        stopWork()
        flush()
        over.abort()
        removeEventListener("beforeunload", leave)
        removeEventListener("pagehide", flush)
      }
    },
    save: () => then(save),
    keepMine: () =>
      then(() => {
        const { conflict } = state.get()
        if (conflict !== undefined) settle(baseOf(conflict.disk))
      }),
    takeTheirs: () =>
      then(async () => {
        if (state.get().conflict === undefined) return
        const merge = await merged()
        if (merge === undefined || disk === undefined) return
        buffer?.replace(
          merge.type === "conflict" ? merge.theirs : merge.type === "clean" ? merge.text : disk.text,
          changeOf(disk),
          true
        )
        settle(baseOf(disk))
      }),
    takeOver: () => then(() => takeOverDocument(address)),
    discard: () => kept.drop()
  }
  return document
}
