/** Adds to a failed test what its pages showed. On a machine that nobody can look at, a failure is understood by it. */
import type { Frame, Page } from "playwright-core"
import type { RunnerTask } from "vitest"

/** Most characters of one page's text. */
const longest = 4000
/** Milliseconds for a page that does not answer any more. */
const patience = 5000

const textOf = async (frame: Page | Frame): Promise<string> => {
  const text = await frame
    .locator("body")
    .innerText({ timeout: patience })
    .catch((error: unknown) => `nothing could be read (${String(error).split("\n", 1)[0]})`)
  return text.replace(/\s+/gu, " ").slice(0, longest)
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
