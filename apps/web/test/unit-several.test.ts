/** What is drawn of lists in a tool call that is open, however long they are. */
import { assert, describe, it } from "@effect/vitest"
import { createElement, type ReactNode } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { Several } from "../src/transcript/Several.tsx"

const draw = (amount: number) => {
  const children = (index: number): ReactNode => createElement("p", { key: index })
  const props = { list: Array.from({ length: amount }, (_, index) => index), noun: "change", children }
  return renderToStaticMarkup(createElement(Several<number>, props))
}
const drawn = (html: string) => html.match(/<p>/g)?.length ?? 0

describe("a list in a call that is open", () => {
  it("is drawn whole where it is not long", () => {
    assert.strictEqual(draw(0), "")
    assert.strictEqual(drawn(draw(50)), 50)
    assert.notInclude(draw(50), "Show")
  })

  it("is drawn to its fiftieth piece, says how many there are, and offers more", () => {
    assert.strictEqual(drawn(draw(3000)), 50)
    assert.include(draw(3000), "50 of 3,000 changes")
    assert.include(draw(3000), "Show 50 more")
    assert.include(draw(60), "Show all")
  })
})
