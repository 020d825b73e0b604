/** Adds to a failed test what its pages showed. On a machine that nobody can look at, a failure is understood by it. */
import type { Frame, Page } from "playwright-core"
import type { RunnerTask } from "vitest"

/** Most characters of one page's text. */
const longest = 1200
/** Milliseconds for a page that does not answer any more. */
const patience = 5000

/** The beginning and the end of a long text: a transcript ends with what matters. */
const ends = (text: string): string =>
  text.length <= longest ? text : `${text.slice(0, longest / 4)} … ${text.slice(-(longest / 4) * 3)}`

const textOf = async (frame: Page | Frame): Promise<string> => {
  const text = await frame
    .locator("body")
    .innerText({ timeout: patience })
    .catch((error: unknown) => `nothing could be read (${String(error).split("\n", 1)[0]})`)
  return ends(text.replace(/\s+/gu, " "))
}

/** Adds a line `Shown: …` for each page to the failure of a test, if it has failed. `.ci/closing.cjs` prints them. */
export const tellShown = async (
  { result }: Pick<RunnerTask, "result">,
  pages: () => ReadonlyArray<Page | Frame>
): Promise<void> => {
  const error = result?.errors?.[0]
  if (error === undefined) return
  const shown = await Promise.all(
    pages().map(async (page) => `\nShown at ${page.url().slice(0, 80)}: ${await textOf(page)}`)
  )
  error.stack = `${error.stack ?? error.message}${shown.join("")}`
}
