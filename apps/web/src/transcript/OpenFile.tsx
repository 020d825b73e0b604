import type { ThreadId } from "@signalbox/contracts/Ids"
import { fileHref } from "../browser/hrefs.ts"
import { Icon } from "../design/Icon.tsx"
import { shownPath } from "@signalbox/contracts/Paths"
import { proseText, Revealed } from "../text/Revealed.tsx"
import { pathWithin } from "../words/toolWords.ts"
import { useThreadFacts } from "./ThreadFacts.ts"
import styles from "./Entry.module.css"

/** A path, which opens its file in the editor if it is one of the thread. */
export const FilePath = ({ line, path }: { readonly path: string; readonly line?: number | undefined }) => {
  const { cwd, threadId } = useThreadFacts()
  const within = pathWithin(path, cwd)
  const shown = shownPath(path, cwd)
  const text = <Revealed text={line === undefined ? shown : `${shown}:${line}`} />
  if (within === undefined || threadId === undefined) return text
  return (
    <a className="link" href={fileHref(threadId, within, line)}>
      {text}
    </a>
  )
}

/** Opens a file of the thread in the editor. */
export const OpenFile = (props: {
  readonly threadId: ThreadId
  readonly path: string
  readonly line?: number | undefined
}) => {
  const label = `Open ${proseText(props.path)} in the editor`
  return (
    <a
      className={styles["openFile"]}
      href={fileHref(props.threadId, props.path, props.line)}
      aria-label={label}
      title={label}
    >
      <Icon name="edit" />
    </a>
  )
}
