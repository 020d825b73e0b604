/** Files of a thread beside its transcript: tabs, the text, and what becomes of it. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import { lazy, Suspense, useEffect, useState } from "react"
import { fileSearch } from "../browser/fileSearch.ts"
import { fileHref } from "../browser/hrefs.ts"
import { go, goInstead } from "../browser/route.ts"
import { useStore } from "../browser/Store.ts"
import { Button, IconButton } from "../design/Button.tsx"
import { useScope } from "../design/scope.ts"
import { followWork } from "./authors/work.ts"
import { CloseUnsaved } from "./CloseUnsaved.tsx"
import { accessTo, closeTab, addTab, addUnsavedTabs, documentOf, tabsOf } from "./documents.ts"
import { Divider } from "./Divider.tsx"
import { DocumentPane } from "./DocumentPane.tsx"
import styles from "./EditorRoom.module.css"
import { FileTabs } from "./FileTabs.tsx"
import { lay, layout } from "./layout.ts"
import { TreePane } from "./TreePane.tsx"

const loadSuggestions = () => import("./suggestions/SuggestionLine.tsx")
const SuggestionLine = lazy(loadSuggestions)
const loadLanguage = () => import("./language/LanguageLine.tsx")
const LanguageLine = lazy(loadLanguage)
/** Lists what follows the texts of open files, with how it is loaded. */
const followers = [
  ["suggestions", loadSuggestions],
  ["language", loadLanguage]
] as const
const OpenFileDialog = lazy(() => import("./OpenFileDialog.tsx"))

export const EditorRoom = (props: {
  readonly threadId: ThreadId
  readonly cwd: string
  readonly path: string | undefined
  readonly line: number | undefined
}) => {
  const { cwd, line, path, threadId } = props
  const mayWrite = useScope("operate") === undefined
  const tabs = useStore(tabsOf(threadId))
  const searching = useStore(fileSearch)
  const search = fileSearch.set
  const { split, transcript, tree } = useStore(layout)
  const [closing, close] = useState<string>()
  /** Whether the tree covers the text, in a window that has no room for both. */
  const [covered, cover] = useState(false)
  useEffect(() => {
    addUnsavedTabs(threadId).catch(() => {
      // A browser without a database keeps nothing. It says so with the first unsaved text.
    })
  }, [threadId])
  useEffect(() => {
    if (path !== undefined) addTab(threadId, path)
  }, [threadId, path])
  const [last] = tabs.slice(-1)
  useEffect(() => {
    if (path === undefined && last !== undefined) goInstead(fileHref(threadId, last))
  }, [threadId, path, last])
  useEffect(() => followWork(threadId), [threadId])
  const isOpen = tabs.length > 0
  useEffect(() => {
    if (!mayWrite || !isOpen) return
    const over = new AbortController()
    for (const [by, load] of followers)
      load().then(
        ({ watch }) => over.signal.aborted || watch(threadId, accessTo(threadId, by), over.signal),
        () => {
          // The line below the text says it.
        }
      )
    return () => over.abort()
  }, [threadId, mayWrite, isOpen])
  const leave = (tab: string) => {
    const at = tabs.indexOf(tab)
    closeTab(threadId, tab)
    close(undefined)
    if (tab !== path) return
    const next = tabs[at + 1] ?? tabs[at - 1]
    go(fileHref(threadId, next))
  }
  const current = path !== undefined && tabs.includes(path) ? documentOf(threadId, path, mayWrite) : undefined
  const documents = tabs.map((tab) => documentOf(threadId, tab, mayWrite))
  return (
    <section
      className={styles["room"]}
      aria-label="Editor"
      data-alone={split ? undefined : ""}
      style={{ flexBasis: split ? `calc(100% - ${transcript}px)` : "100%" }}
    >
      {split && <Divider width={transcript} />}
      <FileTabs
        threadId={threadId}
        tabs={documents}
        current={path}
        buttons={
          <>
            <IconButton
              icon="folder"
              label="Files of the folder"
              className={styles["onlyWide"] ?? ""}
              aria-pressed={tree}
              onClick={() => lay({ tree: !tree })}
            />
            <IconButton
              icon="folder"
              label="Files of the folder"
              className={styles["onlyNarrow"] ?? ""}
              aria-pressed={covered}
              onClick={() => cover(!covered)}
            />
          </>
        }
        onSearch={() => search(true)}
        onClose={(document) => (document.state.get().unsaved ? close(document.path) : leave(document.path))}
      />
      {closing !== undefined && (
        <CloseUnsaved
          document={documentOf(threadId, closing, mayWrite)}
          onClose={() => leave(closing)}
          onStay={() => close(undefined)}
        />
      )}
      <div className={styles["beside"]} data-tree={tree || undefined} data-covered={covered || undefined}>
        {(tree || covered) && (
          <TreePane
            threadId={threadId}
            current={current?.path}
            documents={documents}
            onOpen={(found) => {
              cover(false)
              go(fileHref(threadId, found))
            }}
            onSearch={() => search(true)}
          />
        )}
        <div className={styles["pane"]}>
          {current === undefined ? (
            <div className={styles["nothing"]}>
              <h2>No file is open.</h2>
              <p className="quiet">Open one by its name, from the tree, or from a path in the transcript.</p>
              <Button icon="search" onClick={() => search(true)}>
                Open a file
              </Button>
            </div>
          ) : (
            <DocumentPane
              key={current.path}
              document={current}
              threadId={threadId}
              line={line}
              mayWrite={mayWrite}
              language={
                mayWrite && (
                  <Suspense>
                    <LanguageLine threadId={threadId} path={current.path} />
                  </Suspense>
                )
              }
              suggestions={
                mayWrite && (
                  <Suspense>
                    <SuggestionLine threadId={threadId} path={current.path} />
                  </Suspense>
                )
              }
            />
          )}
        </div>
      </div>
      {searching && (
        <Suspense>
          <OpenFileDialog
            cwd={cwd}
            onClose={() => search(false)}
            onOpen={(found) => {
              search(false)
              go(fileHref(threadId, found))
            }}
          />
        </Suspense>
      )}
    </section>
  )
}
