/** The name of this load of the page, and whether other pages of this browser are open still. */
import { PageId } from "@signalbox/contracts/Documents"

export const pageId = PageId.make(crypto.randomUUID())

const lockOf = (page: string): string => `signalbox.page.${page}`

/** Held as long as this page lives. Browsers have no locks outside of secure contexts. */
if ("locks" in navigator) void navigator.locks.request(lockOf(pageId), () => new Promise<void>(() => {}))

/** The key under which a tab has the name of its page, for the one that is loaded next. */
const tabKey = "signalbox.page"

/** Milliseconds for the page before this one to go. */
const patience = 5000

/** Names this page to the next one of its tab. Returns the one before, if the browser keeps such things. */
const takeTab = (): string | undefined => {
  try {
    const before = sessionStorage.getItem(tabKey) ?? undefined
    sessionStorage.setItem(tabKey, pageId)
    return before
  } catch {
    return undefined
  }
}

/**
 * Resolves when the page that this tab showed before is gone: after a reload it may hold its lock a little longer. A tab that was
 * duplicated has the name of a page that stays, so there is a limit.
 */
const alone = (async (): Promise<void> => {
  const before = takeTab()
  if (before === undefined || !("locks" in navigator)) return
  try {
    await navigator.locks.request(lockOf(before), { signal: AbortSignal.timeout(patience) }, () => {})
  } catch {
    // It stays.
  }
})()

/** Whether a page is open. Where that can't be known, only this one is. */
export const livingPages = async (): Promise<(page: string) => boolean> => {
  await alone
  const { held = [] } = "locks" in navigator ? await navigator.locks.query() : {}
  const names = new Set(held.map(({ name }) => name))
  return (page) => page === pageId || names.has(lockOf(page))
}
