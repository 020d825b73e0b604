/** Links of the transcript, which an editor opens in its own way: files in the editor, pages and addresses in a browser. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import { routeOf } from "../browser/hrefs.ts"
import { go } from "../browser/route.ts"
import { tell } from "./host.ts"

/** The folder of a thread. Undefined where the list does not have it. */
type FolderOf = (threadId: ThreadId) => string | undefined

const follow = (href: string, folderOf: FolderOf): void => {
  if (!href.startsWith("#")) return tell({ type: "openLink", url: href })
  const route = routeOf(href)
  if (route.page === "agents") return go(href)
  if (route.page !== "thread" || route.wire === true) return tell({ type: "openPage", href })
  if (route.room === undefined) return go(href)
  const { line, path } = route.room
  const cwd = folderOf(route.threadId)
  if (path === undefined || cwd === undefined) return tell({ type: "openPage", href })
  tell({ type: "openFile", cwd, path, ...(line !== undefined && { line }) })
}

/** Follows each link that is clicked. The editor would scroll to a fragment, and ask before it opens an address. */
export const followLinks = (folderOf: FolderOf): void =>
  addEventListener(
    "click",
    (event) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null
      const href = link?.getAttribute("href")
      if (href === null || href === undefined || link?.hasAttribute("download") === true) return
      event.preventDefault()
      event.stopPropagation()
      follow(href, folderOf)
    },
    { capture: true }
  )
