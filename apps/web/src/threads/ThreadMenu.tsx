/** What can be done with a thread as a whole: take it away, name it to others, delete it. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { lazy, Suspense, useRef, useState } from "react"
import { link } from "../connection/link.ts"
import { wireHref } from "../browser/hrefs.ts"
import { go } from "../browser/route.ts"
import { useStore } from "../browser/Store.ts"
import { Button, IconButton } from "../design/Button.tsx"
import { useCopy } from "../design/useCopy.ts"
import { DeleteDialog, type KeptSession } from "./DeleteDialog.tsx"
import styles from "./ThreadMenu.module.css"
import { useExport } from "./useExport.ts"
import { useFork } from "./useFork.ts"

const ComponentsDialog = lazy(() => import("./ComponentsDialog.tsx"))
const McpDialog = lazy(() => import("./McpDialog.tsx"))
const ProfileDialog = lazy(() => import("./ProfileDialog.tsx"))

const menuId = "thread-menu"

export const ThreadMenu = (props: {
  readonly threadId: ThreadId
  readonly title: string
  /** Absent where little is known of the thread. */
  readonly view?: ThreadView
}) => {
  const { threadId, title, view } = props
  const floating = useRef<HTMLDivElement>(null)
  const [dialog, setDialog] = useState<"components" | "delete" | "mcp" | "profile">()
  const { copied, copy } = useCopy()
  const exporting = useExport(threadId, title)
  const connected = useStore(link).state === "open"
  const forking = useFork(view)
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
        {forking && (
          <div className={styles["item"]}>
            <Button
              bare
              icon="branch"
              needs="operate"
              inert={!connected || forking.busy}
              onClick={forking.fork}
              title="A new thread that knows all of this one and goes its own way"
            >
              {forking.busy ? "Making a copy" : "Go on in a copy"}
            </Button>
            <output>{forking.refused}</output>
          </div>
        )}
        {view && (
          <div className={styles["item"]}>
            <Button
              bare
              icon="rule"
              needs="operate"
              inert={!connected}
              onClick={() => {
                floating.current?.hidePopover()
                setDialog("profile")
              }}
            >
              Who answers…
            </Button>
          </div>
        )}
        {view && (
          <div className={styles["item"]}>
            <Button
              bare
              icon="swap"
              needs="operate"
              inert={!connected}
              onClick={() => {
                floating.current?.hidePopover()
                setDialog("mcp")
              }}
            >
              MCP servers…
            </Button>
          </div>
        )}
        {view && (
          <div className={styles["item"]}>
            <Button
              bare
              icon="chain"
              needs="operate"
              inert={!connected}
              onClick={() => {
                floating.current?.hidePopover()
                setDialog("components")
              }}
            >
              Components…
            </Button>
          </div>
        )}
        {view && (
          <div className={styles["item"]}>
            <Button
              bare
              icon="swap"
              needs="admin"
              title="What went between Signalbox and the agent, line by line"
              onClick={() => {
                floating.current?.hidePopover()
                go(wireHref(threadId))
              }}
            >
              Wire
            </Button>
          </div>
        )}
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
            needs="admin"
            inert={!connected}
            onClick={() => {
              floating.current?.hidePopover()
              setDialog("delete")
            }}
          >
            Delete…
          </Button>
        </div>
      </div>
      {view && (
        <Suspense>
          {dialog === "profile" && <ProfileDialog view={view} onClose={() => setDialog(undefined)} />}
          {dialog === "mcp" && <McpDialog view={view} onClose={() => setDialog(undefined)} />}
          {dialog === "components" && <ComponentsDialog view={view} onClose={() => setDialog(undefined)} />}
        </Suspense>
      )}
      {dialog === "delete" && (
        <DeleteDialog threadId={threadId} title={title} kept={keptByAgent(view)} onClose={() => setDialog(undefined)} />
      )}
    </>
  )
}

/** The agent's own session of a thread, where the agent would delete it when asked. */
const keptByAgent = (view: ThreadView | undefined): KeptSession | undefined => {
  const sessionId = view?.session.sessionId
  return view && sessionId !== undefined && view.session.capabilities?.sessions?.delete
    ? { provider: view.provider, sessionId }
    : undefined
}
