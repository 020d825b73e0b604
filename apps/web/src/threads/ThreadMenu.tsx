/** What can be done with a thread as a whole: take it away, name it to others, delete it. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import { useRef, useState } from "react"
import { link } from "../connection/link.ts"
import { useStore } from "../connection/Store.ts"
import { Button, IconButton } from "../design/Button.tsx"
import { useCopy } from "../design/useCopy.ts"
import { DeleteDialog } from "./DeleteDialog.tsx"
import styles from "./ThreadMenu.module.css"
import { useExport } from "./useExport.ts"

const menuId = "thread-menu"

export const ThreadMenu = ({ threadId, title }: { readonly threadId: ThreadId; readonly title: string }) => {
  const floating = useRef<HTMLDivElement>(null)
  const [deleting, setDeleting] = useState(false)
  const { copied, copy } = useCopy()
  const exporting = useExport(threadId, title)
  const connected = useStore(link).state === "open"
  return (
    <>
      <IconButton icon="more" label="More about this thread" popoverTarget={menuId} />
      <div ref={floating} id={menuId} popover="auto" data-floating="" className={styles["menu"]}>
        <div className={styles["item"]}>
          <Button
            bare
            icon="out"
            inert={!connected || exporting.state === "reading"}
            onClick={() => void exporting.save()}
            title="The whole thread as lines of JSON"
          >
            {exporting.state === "reading" ? "Exporting" : "Export"}
          </Button>
          <output>{exporting.said}</output>
        </div>
        <div className={styles["item"]}>
          <Button bare icon="copy" onClick={() => copy(threadId)}>
            Copy id
          </Button>
          <output>{copied}</output>
        </div>
        <div className={styles["item"]}>
          <Button
            bare
            icon="x"
            inert={!connected}
            onClick={() => {
              floating.current?.hidePopover()
              setDeleting(true)
            }}
          >
            Delete…
          </Button>
        </div>
      </div>
      {deleting && <DeleteDialog threadId={threadId} title={title} onClose={() => setDeleting(false)} />}
    </>
  )
}
