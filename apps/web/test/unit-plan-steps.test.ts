import { assert, it } from "@effect/vitest"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { PlanSteps } from "../src/transcript/PlanEntryLine.tsx"

it("steps of a plan set code apart, and read nothing else into the words", () => {
  const content = "Change `sumOf` in <b>all</b> *files*\u202e"
  const drawn = renderToStaticMarkup(createElement(PlanSteps, { plan: [{ content, status: "pending" }] }))
  assert.include(drawn, "Change <code>sumOf</code> in &lt;b&gt;all&lt;/b&gt; *files*")
  assert.notInclude(drawn, "\u202e")
})
