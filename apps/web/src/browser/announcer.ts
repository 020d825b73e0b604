/** What screen readers say. One sentence in five seconds at most; what came meanwhile is summed up. */
import { makeStore, type Store } from "./Store.ts"

const pause = 5000

/** The sentence that stands in the polite region, and the one in the assertive region. */
export const polite: Store<string> = makeStore("")
export const assertive: Store<string> = makeStore("")

let pending: Array<string> = []
let resting: ReturnType<typeof setTimeout> | undefined

const speak = () => {
  const last = pending.at(-1)
  resting = undefined
  if (last === undefined) return
  polite.set(pending.length === 1 ? last : `${pending.length} things happened. The last one: ${last}`)
  pending = []
  resting = setTimeout(speak, pause)
}

/** Said when there is room: the end of something. */
export const announce = (sentence: string): void => {
  pending.push(sentence)
  if (resting === undefined) speak()
}

/** Said at once: somebody is asked, the connection is lost. */
export const alert = (sentence: string): void => {
  assertive.set("")
  // An unchanged region is not read again.
  setTimeout(() => assertive.set(sentence), 50)
}
