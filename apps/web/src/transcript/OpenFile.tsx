import type { ThreadId } from "@signalbox/contracts/Ids"
import { fileHref } from "../browser/hrefs.ts"
import { Icon } from "../design/Icon.tsx"
import { proseText } from "../text/Revealed.tsx"
import styles from "./Entry.module.css"

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
