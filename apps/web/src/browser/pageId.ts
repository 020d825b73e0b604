/** The name of this load of the page, and whether other pages of this browser are open still. */
import { PageId } from "@signalbox/contracts/Documents"

export const pageId = PageId.make(crypto.randomUUID())

const lockOf = (page: string): string => `signalbox.page.${page}`

/** Held as long as this page lives. Browsers have no locks outside of secure contexts. */
if ("locks" in navigator) void navigator.locks.request(lockOf(pageId), () => new Promise<void>(() => {}))

/** Whether a page is open. Where that can't be known, only this one is. */
export const livingPages = async (): Promise<(page: string) => boolean> => {
  const { held = [] } = "locks" in navigator ? await navigator.locks.query() : {}
  const names = new Set(held.map(({ name }) => name))
  return (page) => page === pageId || names.has(lockOf(page))
}
