import { assert, describe, it } from "@effect/vitest"
import { makeKeptTexts } from "../src/connection/keptTexts.ts"

const kept = (texts: ReturnType<typeof makeKeptTexts>) => ["a", "b", "c"].filter((key) => texts.get(key) !== undefined)

describe("long texts that were read", () => {
  it("are kept up to a length together, the latest ones", () => {
    const texts = makeKeptTexts(10)
    texts.put("a", "12345")
    texts.put("b", "12345")
    assert.deepStrictEqual(kept(texts), ["a", "b"])
    texts.put("c", "1")
    assert.deepStrictEqual(kept(texts), ["b", "c"])
  })

  it("are kept alone when they are longer than that", () => {
    const texts = makeKeptTexts(10)
    texts.put("a", "1")
    texts.put("b", "12345678901")
    assert.deepStrictEqual(kept(texts), ["b"])
    texts.put("c", "1")
    assert.deepStrictEqual(kept(texts), ["c"])
  })

  it("count once when they are put again, and are the latest then", () => {
    const texts = makeKeptTexts(10)
    texts.put("a", "12345")
    texts.put("b", "12345")
    texts.put("a", "123")
    texts.put("c", "123")
    assert.deepStrictEqual([kept(texts), texts.get("a")], [["a", "c"], "123"])
  })
})
