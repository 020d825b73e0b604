/** The open files of a thread, a tab each. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import { type ReactNode, useEffect } from "react"
import { ctrl } from "../browser/shortcuts.ts"
import { fileHref } from "../browser/hrefs.ts"
import { useStore } from "../browser/Store.ts"
import { IconButton } from "../design/Button.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { RevealedProse } from "../text/Revealed.tsx"
import { workIn } from "./authors/work.ts"
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
}) => {
  const { agent } = useStore(workIn(props.threadId))
  return (
    <nav className={styles["tabs"]} aria-label="Open files">
      <div className={styles["tabButtons"]}>{props.buttons}</div>
      <ul className={styles["tabList"]}>
        {props.tabs.map((document) => (
          <FileTab
            key={document.path}
            document={document}
            agent={agent}
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
}

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
  /** The name of the thread's agent. */
  readonly agent: string
  readonly href: string
  readonly current: boolean
  readonly onClose: () => void
}) => {
  const { agent, current, document, href, onClose } = props
  const { conflict, gone, isWritten, unsaved } = useStore(document.state)
  // Every open file is followed, so that its tab says what becomes of it.
  useEffect(() => document.follow(), [document])
  const name = nameOf(document.path)
  const states = [
    conflict !== undefined && "in conflict",
    gone !== undefined && "not on the disk",
    isWritten && `${agent} is writing`,
    unsaved && "unsaved"
  ].filter((state) => state !== false)
  return (
    <li className={styles["tab"]} data-current={current || undefined}>
      <a
        href={href}
        className={styles["tabName"]}
        aria-current={current ? "page" : undefined}
        aria-label={[name, ...states].join(", ")}
        title={[document.path, ...states].join(", ")}
        ref={(link) => {
          if (current) link?.scrollIntoView({ block: "nearest", inline: "nearest" })
        }}
      >
        {conflict !== undefined && <Lamp status="waiting" />}
        {conflict === undefined && gone !== undefined && <Lamp status="lost" />}
        {conflict === undefined && gone === undefined && isWritten && <Lamp status="working" />}
        <span className={gone === undefined ? undefined : styles["struck"]}>
          <RevealedProse text={name} />
        </span>
      </a>
      {unsaved && <span className={styles["dot"]} aria-hidden="true" />}
      <IconButton icon="x" label={`Close ${name}`} className={styles["tabClose"] ?? ""} onClick={onClose} />
    </li>
  )
}
