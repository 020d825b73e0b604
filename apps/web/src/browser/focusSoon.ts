/** The focus goes to something that is not drawn yet. */

/** After this nobody expects the focus to move, milliseconds. */
const patience = 5000

/**
 * Focuses the first of these that there is, once it is drawn. People may go on meanwhile, to another page or to something else on this
 * one: then the focus stays with them. A slow page draws late, so that counts from the beginning.
 */
export const focusSoon = (...selectors: ReadonlyArray<string>): void => {
  const place = location.hash
  const done = new AbortController()
  const { signal } = done
  // A dialog that closes moves the focus, too. People do it by a key or a press.
  let acted = false
  const act = () => void (acted = true)
  for (const type of ["keydown", "pointerdown"]) addEventListener(type, act, { capture: true, signal })
  addEventListener("focusin", () => acted && done.abort(), { signal })

  const look = () => {
    if (location.hash !== place) return done.abort()
    for (const selector of selectors) {
      const found = document.querySelector<HTMLElement>(selector)
      if (found === null) continue
      done.abort()
      return found.focus()
    }
  }
  const begin = () => {
    if (signal.aborted) return
    const observer = new MutationObserver(look)
    observer.observe(document.body, { childList: true, subtree: true })
    signal.addEventListener("abort", () => observer.disconnect())
    AbortSignal.timeout(patience).addEventListener("abort", () => done.abort())
    look()
  }
  // What is there now belongs to the page that is being left.
  requestAnimationFrame(() => requestAnimationFrame(begin))
}
