/** The files of each thread that are open in this page: their order, and their texts. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import { Compartment } from "@codemirror/state"
import { fileHref } from "../browser/hrefs.ts"
import { go } from "../browser/route.ts"
import { makeStore, type Store } from "../browser/Store.ts"
import { workIn } from "./authors/work.ts"
import { extensionsOf } from "./codeMirror.ts"
import { open, type OpenDocument } from "./OpenDocument.ts"
import type { EditorAccess } from "./reporting/access.ts"
import * as Unsaved from "./unsaved.ts"

/** The most files that are open in one thread. */
const mostFiles = 30

const keyOf = (threadId: ThreadId): string => `signalbox.files.${threadId}`

const tabs = new Map<ThreadId, Store<ReadonlyArray<string>>>()
const documents = new Map<string, OpenDocument>()

/** What an earlier load of this page left. */
const stored = (threadId: ThreadId): ReadonlyArray<string> => {
  try {
    const paths: unknown = JSON.parse(sessionStorage.getItem(keyOf(threadId)) ?? "[]")
    return Array.isArray(paths) ? paths.filter((path) => typeof path === "string").slice(0, mostFiles) : []
  } catch {
    return []
  }
}

/** The paths of the open files of a thread, in the order of their tabs. */
export const tabsOf = (threadId: ThreadId): Store<ReadonlyArray<string>> => {
  const known = tabs.get(threadId)
  if (known) return known
  const store = makeStore(stored(threadId))
  tabs.set(threadId, store)
  return store
}

const change = (threadId: ThreadId, paths: ReadonlyArray<string>): void => {
  tabsOf(threadId).set(paths)
  try {
    sessionStorage.setItem(keyOf(threadId), JSON.stringify(paths))
  } catch {
    // A browser that keeps nothing: the tabs are there as long as the page.
  }
}

/** Opens a tab unless there is one. With too many, the first one without unsaved text is closed. */
export const addTab = (threadId: ThreadId, path: string): void => {
  const paths = tabsOf(threadId).get()
  if (paths.includes(path)) return
  const spare = paths.length < mostFiles ? undefined : paths.find((one) => !isUnsaved(threadId, one))
  change(threadId, [...paths.filter((one) => one !== spare), path])
}

/** Closes a tab, and gives its unsaved text up. */
export const closeTab = (threadId: ThreadId, path: string): void => {
  change(
    threadId,
    tabsOf(threadId)
      .get()
      .filter((one) => one !== path)
  )
  const key = documentKey(threadId, path)
  void documents.get(key)?.discard()
  documents.delete(key)
}

/** Opens tabs for unsaved texts of pages that are gone. */
export const addUnsavedTabs = async (threadId: ThreadId): Promise<void> => {
  await Unsaved.ready()
  for (const { path } of await Unsaved.left(threadId)) addTab(threadId, path)
}

const documentKey = (threadId: ThreadId, path: string): string => `${threadId}\n${path}`

/** Who adds to the text of a document, shown or not. Nobody adds anything until it is loaded. */
const added = { suggestions: new Compartment(), language: new Compartment() }

/** What those who follow the files of a thread need of them. */
export const accessTo = (threadId: ThreadId, by: keyof typeof added): EditorAccess => ({
  tabs: tabsOf(threadId),
  file: (path) => documentOf(threadId, path, true),
  extend: (file, extension) => file.buffer()?.dispatch({ effects: added[by].reconfigure(extension) }),
  open: (path) => addTab(threadId, path),
  show: (path, line) => go(fileHref(threadId, path, line))
})

/** The open file of a path, which is opened by the first call. */
export const documentOf = (threadId: ThreadId, path: string, mayWrite: boolean): OpenDocument => {
  const key = documentKey(threadId, path)
  const known = documents.get(key)
  if (known) return known
  const document = open(
    threadId,
    path,
    mayWrite,
    extensionsOf([added.suggestions.of([]), added.language.of([])]),
    workIn(threadId)
  )
  documents.set(key, document)
  return document
}

const isUnsaved = (threadId: ThreadId, path: string): boolean =>
  documents.get(documentKey(threadId, path))?.state.get().unsaved === true
