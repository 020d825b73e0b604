import { assert, describe, it } from "@effect/vitest"
import { ItemId } from "@signalbox/contracts/Ids"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { OpeningsContext } from "../src/transcript/openings.ts"
import { TriedEntry } from "../src/transcript/TriedEntry.tsx"

const itemId = ItemId.make("t1:assistant")

const draw = (open: boolean) => {
  const states = new Map<string, boolean>([[itemId, open]])
  const item = {
    type: "message",
    itemId,
    at: 0,
    text: "I looked **at the tests",
    content: [],
    triedAgain: true
  } as const
  return renderToStaticMarkup(
    createElement(
      OpeningsContext.Provider,
      { value: { states, keepPlace: (_, change) => change() } },
      createElement(TriedEntry, { item })
    )
  )
}

describe("an answer that broke off and was tried again", () => {
  it("is one line", () => {
    assert.include(draw(false), "Tried again")
    assert.include(draw(false), "5 words")
    assert.notInclude(draw(false), "at the tests")
  })

  it("keeps all that was said, behind its line", () => {
    assert.include(draw(true), "I looked **at the tests")
  })
})
