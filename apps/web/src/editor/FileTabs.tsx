/** The open files of a thread, a tab each. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import { type ReactNode, useEffect } from "react"
import { ctrl } from "../browser/shortcuts.ts"
import { fileHref } from "../browser/hrefs.ts"
import { useStore } from "../browser/Store.ts"
import { IconButton } from "../design/Button.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { RevealedProse } from "../text/Revealed.tsx"
import styles from "./EditorRoom.module.css"
import { lay, layout } from "./layout.ts"
import type { OpenDocument } from "./OpenDocument.ts"

export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

export const FileTabs = (props: {
  readonly threadId: ThreadId
  readonly tabs: ReadonlyArray<OpenDocument>
  readonly current: string | undefined
  /** Stand before the tabs. */
  readonly buttons: ReactNode
  readonly onSearch: () => void
  readonly onClose: (document: OpenDocument) => void
}) => (
  <nav className={styles["tabs"]} aria-label="Open files">
    <div className={styles["tabButtons"]}>{props.buttons}</div>
    <ul className={styles["tabList"]}>
      {props.tabs.map((document) => (
        <FileTab
          key={document.path}
          document={document}
          href={fileHref(props.threadId, document.path)}
          current={document.path === props.current}
          onClose={() => props.onClose(document)}
        />
      ))}
    </ul>
    <IconButton icon="search" label="Open a file" hint={`${ctrl} P`} onClick={props.onSearch} />
    <SplitButton />
  </nav>
)

const SplitButton = () => {
  const { split } = useStore(layout)
  return (
    <IconButton
      icon="panel"
      label="Beside the transcript"
      className={styles["onlySplit"] ?? ""}
      aria-pressed={split}
      onClick={() => lay({ split: !split })}
    />
  )
}

const FileTab = (props: {
  readonly document: OpenDocument
  readonly href: string
  readonly current: boolean
  readonly onClose: () => void
}) => {
  const { current, document, href, onClose } = props
  const { conflict, gone, unsaved } = useStore(document.state)
  // Every open file is followed, so that its tab says what becomes of it.
  useEffect(() => document.follow(), [document])
  const name = nameOf(document.path)
  const state =
    conflict !== undefined ? "in conflict" : gone !== undefined ? "not on the disk" : unsaved ? "unsaved" : ""
  return (
    <li className={styles["tab"]} data-current={current || undefined}>
      <a
        href={href}
        className={styles["tabName"]}
        aria-current={current ? "page" : undefined}
        aria-label={state === "" ? name : `${name}, ${state}`}
        title={document.path}
        ref={(link) => {
          if (current) link?.scrollIntoView({ block: "nearest", inline: "nearest" })
        }}
      >
        {conflict !== undefined && <Lamp status="waiting" />}
        {conflict === undefined && gone !== undefined && <Lamp status="lost" />}
        <span className={gone === undefined ? undefined : styles["struck"]}>
          <RevealedProse text={name} />
        </span>
      </a>
      {unsaved && <span className={styles["dot"]} aria-hidden="true" />}
      <IconButton icon="x" label={`Close ${name}`} className={styles["tabClose"] ?? ""} onClick={onClose} />
    </li>
  )
}
