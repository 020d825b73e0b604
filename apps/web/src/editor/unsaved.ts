/**
 * Unsaved texts, kept in this browser's database, so that a reload or a crash of the page loses none. Each page keeps its own. The text of
 * a page that is gone goes to the next page that edits the file.
 */
import { DocumentEncoding, LineEnd } from "@signalbox/contracts/Documents"
import type { ThreadId } from "@signalbox/contracts/Ids"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { livingPages, pageId } from "../browser/pageId.ts"

/** What a text was made from. `version: null`: there was no file. */
const Unsaved = Schema.Struct({
  threadId: Schema.String,
  path: Schema.String,
  page: Schema.String,
  text: Schema.String,
  lineEnd: LineEnd,
  encoding: DocumentEncoding,
  base: Schema.Struct({ text: Schema.String, version: Schema.NullOr(Schema.String) }),
  at: Schema.Finite
})
export type Unsaved = typeof Unsaved.Type

export type UnsavedText = Omit<Unsaved, "threadId" | "path" | "page" | "at">

/** The most texts that are kept. One more is refused, and the page says so. */
const mostTexts = 50

const name = "signalbox"
const table = "unsaved"

const settled = <A>(request: IDBRequest<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result))
    request.addEventListener("error", () => reject(request.error ?? new Error("The browser gave no reason.")))
  })

let opened: Promise<IDBDatabase> | undefined

/** How many texts the database has, as far as this page knows. */
let count = 0

/** The texts of this page that are in the database. */
const own = new Set<string>()
const nameOf = (threadId: ThreadId, path: string): string => `${threadId}\n${path}`

/** Opens the database, so that later texts are kept in one step. */
export const ready = async (): Promise<void> => {
  count = await settled((await database()).transaction(table, "readonly").objectStore(table).count())
}

const database = (): Promise<IDBDatabase> => {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(name, 1)
    request.addEventListener("upgradeneeded", () => {
      request.result.createObjectStore(table, { keyPath: ["threadId", "path", "page"] })
    })
    settled(request).then(resolve, reject)
  }).catch((error: unknown) => {
    opened = undefined
    throw error
  })
  return opened
}

const done = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.addEventListener("complete", () => resolve())
    transaction.addEventListener("abort", () => reject(transaction.error ?? new Error("The browser gave no reason.")))
  })

/** Keeps a text. Rejects if this browser doesn't. The page may be going away, so nothing is waited for before it is written. */
export const keep = async (threadId: ThreadId, path: string, text: UnsavedText): Promise<void> => {
  const transaction = (await database()).transaction(table, "readwrite")
  const name = nameOf(threadId, path)
  if (!own.has(name)) {
    if (count >= mostTexts) throw new Error(`It keeps ${mostTexts} unsaved texts already.`)
    own.add(name)
    count += 1
  }
  const finished = done(transaction)
  const record: Unsaved = { ...text, threadId, path, page: pageId, at: Date.now() }
  transaction.objectStore(table).put(record)
  transaction.commit()
  await finished
}

/** Forgets a text: this page's own, or that of another page that is gone. */
export const forget = async (threadId: ThreadId, path: string, page: string = pageId): Promise<void> => {
  const transaction = (await database()).transaction(table, "readwrite")
  const finished = done(transaction)
  if (page !== pageId || own.delete(nameOf(threadId, path))) count -= 1
  transaction.objectStore(table).delete([threadId, path, page])
  transaction.commit()
  await finished
}

const read = Schema.decodeUnknownOption(Unsaved)

/** The texts of a thread that no other open page has, the latest first. */
export const left = async (threadId: ThreadId): Promise<ReadonlyArray<Unsaved>> => {
  const store = (await database()).transaction(table, "readonly").objectStore(table)
  const range = IDBKeyRange.bound([threadId], [threadId, []])
  const [records, isOpen] = await Promise.all([settled(store.getAll(range)), livingPages()])
  return records
    .flatMap((record: unknown) => Option.toArray(read(record)))
    .filter(({ page }) => page === pageId || !isOpen(page))
    .sort((a, b) => b.at - a.at)
}

/** The latest text of a file that no other open page has. */
export const leftOf = async (threadId: ThreadId, path: string): Promise<Unsaved | undefined> =>
  (await left(threadId)).find((one) => one.path === path)
