/** The focus goes to something that is not drawn yet. */

/** After this nobody expects the focus to move, milliseconds. */
const patience = 5000

/**
 * Focuses the first of these that there is, once it is drawn; unless people have gone on meanwhile, to another page or to
 * something else on this one.
 */
export const focusSoon = (...selectors: ReadonlyArray<string>): void => {
  const place = location.hash
  let before: Element | null = null
  const look = (): boolean => {
    const stayed = document.activeElement === before || document.activeElement === document.body
    if (location.hash !== place || !stayed) return true
    for (const selector of selectors) {
      const found = document.querySelector<HTMLElement>(selector)
      if (found === null) continue
      found.focus()
      return true
    }
    return false
  }
  const observer = new MutationObserver(() => look() && observer.disconnect())
  const begin = () => {
    before = document.activeElement
    if (look()) return
    observer.observe(document.body, { childList: true, subtree: true })
    AbortSignal.timeout(patience).addEventListener("abort", () => observer.disconnect())
  }
  // What is there now belongs to the page that is being left.
  requestAnimationFrame(() => requestAnimationFrame(begin))
}
