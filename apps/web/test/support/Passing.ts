/** What a page shows for a moment only. A test that looks from outside is too late for it on a busy machine. */
import type { Tab } from "./Tab.ts"

export interface Passing {
  /** Waits until an element has shown such a text. */
  readonly first: () => Promise<void>
  /** All such texts so far, in the order in which they were shown. */
  readonly texts: () => Promise<ReadonlyArray<string>>
}

interface Watched {
  readonly selector: string
  readonly source: string
  readonly press: boolean
}

/** Runs in the page: notes texts in the moment in which they are drawn. */
const watch = ({ press, selector, source }: Watched) => {
  const pattern = new RegExp(source)
  const texts: Array<string> = []
  let found = () => {}
  const first = new Promise<void>((resolve) => (found = resolve))
  const look = () => {
    for (const element of document.querySelectorAll<HTMLElement>(selector)) {
      const text = element.textContent ?? ""
      if (!pattern.test(text) || texts.at(-1) === text) continue
      texts.push(text)
      found()
      if (press && texts.length === 1) element.click()
    }
  }
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
  look()
  return { first, texts }
}

const begin = async (tab: Tab, selector: string, pattern: RegExp, press: boolean): Promise<Passing> => {
  const watched = await tab.page.evaluateHandle(watch, { selector, source: pattern.source, press })
  return {
    first: () => watched.evaluate(({ first }) => first),
    texts: () => watched.evaluate(({ texts }) => texts)
  }
}

/** Notes from now on what such elements say. */
export const noteTexts = (tab: Tab, selector: string, pattern: RegExp): Promise<Passing> =>
  begin(tab, selector, pattern, false)

/** Presses the first such button in the moment in which it is drawn. */
export const pressAtOnce = (tab: Tab, pattern: RegExp): Promise<Passing> => begin(tab, "button", pattern, true)
