/** The files of a thread's folder, as a tree. A folder is read when it is opened. */
// No native element is a tree, so this one is built of roles. Its keys are handled by the tree, and not by each row.
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus */
import type { ThreadId } from "@signalbox/contracts/Ids"
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react"
import { useStore } from "../browser/Store.ts"
import { Icon } from "../design/Icon.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { workIn } from "./authors/work.ts"
import { Revealed, RevealedProse } from "../text/Revealed.tsx"
import type { OpenDocument } from "./OpenDocument.ts"
import styles from "./FileTree.module.css"
import { actOf, type EntryRow, foldersAbove, mostRows, type NoteRow, rowsOf, withName } from "./treeRows.ts"
import { useFolders } from "./useFolders.ts"

/** Letters within this time make one word, milliseconds. */
const typing = 700

const FileTree = (props: {
  readonly threadId: ThreadId
  /** The file whose text is shown. */
  readonly current: string | undefined
  /** The files that have a tab. */
  readonly documents: ReadonlyArray<OpenDocument>
  readonly onOpen: (path: string) => void
}) => {
  const { current, documents, onOpen, threadId } = props
  const { agent } = useStore(workIn(threadId))
  const { fold, frames, open, unfold } = useFolders(threadId)
  const [chosen, choose] = useState<string>()
  const typed = useRef({ letters: "", at: 0 })
  const tree = useRef<HTMLDivElement>(null)
  const id = useId()
  const { isCut, rows } = rowsOf(frames, open)
  const entries = rows.filter((row) => row.type === "entry")
  const active = [chosen, current].find((path) => entries.some((row) => row.path === path)) ?? entries[0]?.path
  const at = rows.findIndex((row) => row.type === "entry" && row.path === active)
  useEffect(() => {
    if (current === undefined) return
    choose(current)
    unfold(foldersAbove(current))
    // oxlint-disable-next-line react/exhaustive-deps -- only another file unfolds its folders: people may fold them again
  }, [current])
  useEffect(() => {
    if (at !== -1) document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: "nearest" })
  }, [id, at])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const act = actOf(rows, active, event.key)
    if (act !== undefined) {
      event.preventDefault()
      if (act.type === "go") choose(act.path)
      else if (act.type === "open") onOpen(act.path)
      else if (act.type === "unfold") unfold([act.path])
      else fold(act.path)
      return
    }
    // The names of all other keys begin with two letters.
    if (/^[a-z]{2}/i.test(event.key)) return
    // A letter is a part of a name here, and no shortcut of the page.
    event.preventDefault()
    const { at: last, letters } = typed.current
    const word = event.timeStamp - last < typing && letters !== event.key ? letters + event.key : event.key
    typed.current = { letters: word, at: event.timeStamp }
    const found = withName(rows, active, word)
    if (found !== undefined) choose(found)
  }
  return (
    <div
      ref={tree}
      className={`${styles["tree"] ?? ""} scroll`}
      role="tree"
      tabIndex={0}
      aria-label="Files of the thread’s folder"
      aria-activedescendant={at === -1 ? undefined : `${id}-${at}`}
      onKeyDown={onKeyDown}
    >
      {rows.map((row, index) =>
        row.type === "entry" ? (
          <Entry
            key={row.path}
            id={`${id}-${index}`}
            row={row}
            isActive={index === at}
            isCurrent={row.path === current}
            agent={agent}
            document={documents.find(({ path }) => path === row.path)}
            onClick={() => {
              choose(row.path)
              if (row.kind !== "folder") onOpen(row.path)
              else if (row.isOpen) fold(row.path)
              else unfold([row.path])
            }}
          />
        ) : (
          <Note key={`${row.type} ${row.path}`} row={row} />
        )
      )}
      {isCut && <p className={styles["note"]}>The tree shows {mostRows} rows at most. Close a folder to see more.</p>}
    </div>
  )
}

const Entry = (props: {
  readonly id: string
  readonly row: EntryRow
  readonly isActive: boolean
  readonly isCurrent: boolean
  /** The name of the thread's agent. */
  readonly agent: string
  readonly document: OpenDocument | undefined
  readonly onClick: () => void
}) => {
  const { agent, document, id, isActive, isCurrent, onClick, row } = props
  const leads = row.isLink ? (row.kind === "other" ? "link that can’t be followed" : "link") : undefined
  return (
    <div
      id={id}
      className={styles["row"]}
      style={{ paddingLeft: 6 + 14 * row.depth }}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-setsize={row.of}
      aria-posinset={row.place}
      aria-expanded={row.kind === "folder" ? row.isOpen : undefined}
      aria-selected={isCurrent}
      data-active={isActive || undefined}
      data-ignored={row.isIgnored}
      title={[row.path, leads, row.isIgnored && "ignored by git"].filter(Boolean).join(", ")}
      onClick={onClick}
    >
      {row.kind === "folder" ? <Icon name={row.isOpen ? "down" : "right"} /> : <span className={styles["gap"]} />}
      <span className="cut grow">
        <Revealed text={row.name} />
      </span>
      {leads !== undefined && <span className={styles["word"]}>{row.kind === "other" ? "leads out" : "link"}</span>}
      {row.isIgnored && <span className={styles["word"]}>ignored</span>}
      {document !== undefined && <State document={document} agent={agent} />}
    </div>
  )
}

const State = ({ agent, document }: { readonly document: OpenDocument; readonly agent: string }) => {
  const { isWritten, unsaved } = useStore(document.state)
  return (
    <>
      {unsaved && <span className={styles["word"]}>unsaved</span>}
      {isWritten && (
        <>
          <Lamp status="working" />
          <span className="unseen">{agent} is writing</span>
        </>
      )}
    </>
  )
}

const Note = ({ row }: { readonly row: NoteRow }) => (
  <p className={styles["note"]} style={{ paddingLeft: 24 + 14 * row.depth }}>
    <RevealedProse text={wordsOf(row)} />
  </p>
)

const wordsOf = ({ problem, type }: NoteRow): string => {
  switch (type) {
    case "reading":
      return "Reading the folder…"
    case "empty":
      return "The folder is empty."
    case "cut":
      return "More entries aren’t listed here. Open them by name."
    case "refused":
      return problem === undefined ? "" : `${problem.title} ${problem.cause}`
  }
}

export default FileTree
