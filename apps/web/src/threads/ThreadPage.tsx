import type { ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { memo, Suspense } from "react"
import type { LinkState } from "../connection/link.ts"
import { useThread } from "../connection/thread.ts"
import { loaded } from "../design/loaded.tsx"
import { PartGuard } from "../design/PartGuard.tsx"
import { useFileSearchKey } from "../browser/fileSearch.ts"
import { agentsHref, fileHref } from "../browser/hrefs.ts"
import { go } from "../browser/route.ts"
import { usePreferences } from "../browser/preferences.ts"
import { SidePanel } from "./SidePanel.tsx"
import { FilesContext, useFilesOf } from "../text/files.ts"
import { ThreadColumn } from "./ThreadColumn.tsx"
import { ThreadHeader } from "./ThreadHeader.tsx"
import styles from "./ThreadPage.module.css"
import { ThreadNotice, UnreadableThread } from "./ThreadNotice.tsx"

/** The editor is loaded when it is first opened. */
const EditorRoom = loaded("The editor", async () => (await import("../editor/EditorRoom.tsx")).EditorRoom)

/** Few people look at the wire. */
const WireRoom = loaded("The wire", async () => (await import("../wire/WireRoom.tsx")).WireRoom)

/** The editor beside a thread, or the wire in its place. */
interface Beside {
  readonly editing: boolean
  readonly path: string | undefined
  readonly line: number | undefined
  readonly wire: boolean
}

/** The page of a thread. It is drawn again when this thread or the link changes, not with every row of the list. */
export const ThreadPage = memo((props: Beside & { readonly threadId: ThreadId; readonly link: LinkState }) => {
  const { link, threadId, ...beside } = props
  const watched = useThread(threadId)
  switch (watched.state) {
    case "loading":
      return <p className={`${styles["nothing"]} meta`}>Reading the thread…</p>
    case "missing":
      return (
        <ThreadNotice title="No thread">
          <h2>There is no such thread here.</h2>
          <p className="quiet">
            The address names a thread that this Signalbox doesn’t keep.{" "}
            <a className="link" href={agentsHref}>
              Start a new one
            </a>
          </p>
        </ThreadNotice>
      )
    case "unreadable":
      return <UnreadableThread threadId={threadId} problem={watched.problem} />
    case "here":
      return <OpenThread view={watched.view} torn={watched.torn} link={link} beside={beside} />
  }
})

const OpenThread = ({
  beside,
  link,
  torn,
  view
}: {
  readonly beside: Beside
  readonly view: ThreadView
  readonly torn: number | undefined
  readonly link: LinkState
}) => {
  const { sidePanel } = usePreferences()
  useFileSearchKey(() => {
    if (!beside.editing) go(fileHref(view.threadId))
  })
  const { threadId } = view
  const files = useFilesOf(threadId, view.cwd)
  return (
    <FilesContext value={files}>
      <div className={styles["page"]}>
        <PartGuard what="The head of the thread" source={view}>
          <ThreadHeader view={view} editing={beside.editing} wire={beside.wire} />
        </PartGuard>
        <div className={styles["split"]} data-editing={beside.editing || undefined}>
          <ThreadColumn view={view} torn={torn} link={link} />
          {beside.editing && (
            <PartGuard what="The editor" source={beside.path}>
              <Suspense fallback={<section aria-label="The editor" />}>
                <EditorRoom threadId={threadId} cwd={view.cwd} path={beside.path} line={beside.line} />
              </Suspense>
            </PartGuard>
          )}
          {beside.wire && (
            <PartGuard what="The wire" source={view}>
              <Suspense fallback={<section data-alone="" aria-label="Wire" />}>
                <WireRoom view={view} />
              </Suspense>
            </PartGuard>
          )}
          {sidePanel && !beside.editing && !beside.wire && (
            <PartGuard what="The state of the thread" source={view}>
              <SidePanel view={view} />
            </PartGuard>
          )}
        </div>
      </div>
    </FilesContext>
  )
}
