import { afterAll, assert, beforeAll, it, vi } from "@effect/vitest"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"

// The module reads the preferences of its page, and sets the theme.
beforeAll(() => void vi.stubGlobal("document", { documentElement: { dataset: {} } }))
afterAll(() => void vi.unstubAllGlobals())

it("steps of a plan set code apart, and read nothing else into the words", async () => {
  const { PlanSteps } = await import("../src/transcript/PlanEntryLine.tsx")
  const content = "Change `sumOf` in <b>all</b> *files*\u202e"
  const drawn = renderToStaticMarkup(createElement(PlanSteps, { plan: [{ content, status: "pending" }] }))
  assert.match(drawn, /Change <code>sumOf<\/code> in &lt;b&gt;all&lt;\/b&gt; \*files\*/)
  assert.notInclude(drawn, "\u202e")
})
