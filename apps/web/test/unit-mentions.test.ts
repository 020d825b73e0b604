import { assert, describe, test } from "vitest"
import { fateOf } from "../src/composer/attachments.ts"
import { mentionAt, mentionedIn, withMention } from "../src/composer/mentions.ts"
import { promptWords } from "../src/words/promptWords.ts"

describe("mentions of files", () => {
  test("begin with an @ after a space, and are written up to the caret", () => {
    assert.deepStrictEqual(mentionAt("see @src/gr and more", 11), { start: 4, query: "src/gr" })
    assert.deepStrictEqual(mentionAt("@", 1), { start: 0, query: "" })
    assert.deepStrictEqual(mentionAt("(@a", 3), { start: 1, query: "a" })
    assert.isUndefined(mentionAt("mail me@example.org", 19))
    assert.isUndefined(mentionAt("see @src/gr and", 15))
  })

  test("are completed in place, with one space behind them", () => {
    assert.deepStrictEqual(withMention("see @gr", 4, 7, "src/greet.ts"), { text: "see @src/greet.ts ", caret: 18 })
    assert.deepStrictEqual(withMention("see @gr now", 4, 7, "a.ts"), { text: "see @a.ts now", caret: 10 })
  })

  test("count as long as they stand in the text, each once", () => {
    const a = { path: "src/a.ts", uri: "file:///p/src/a.ts" }
    const ax = { path: "src/a.tsx", uri: "file:///p/src/a.tsx" }
    assert.deepStrictEqual(mentionedIn("@src/a.tsx first", [a, ax, ax]), [ax])
    assert.deepStrictEqual(mentionedIn("(see @src/a.ts).", [a]), [a])
    assert.deepStrictEqual(mentionedIn("taken out", [a]), [])
  })
})

describe("what becomes of an attachment", () => {
  const image = {
    id: "1",
    name: "a.png",
    bytes: 3,
    type: "image",
    part: { type: "image", mimeType: "image/png", data: "AAAA" }
  } as const
  test("nobody knows before the agent runs", () => {
    assert.deepStrictEqual(fateOf(image, undefined, "Eliza"), {
      remark: "Eliza says what it takes when it has started",
      leftOut: false
    })
  })
  test("it goes as it is, or not at all", () => {
    const none = { image: false, audio: false, embeddedContext: false }
    assert.isTrue(fateOf(image, none, "Eliza").leftOut)
    assert.isUndefined(fateOf(image, { ...none, image: true }, "Eliza").remark)
  })
})

test("a prompt in one line says how much goes along", () => {
  assert.strictEqual(
    promptWords([
      { type: "text", text: "look at @a.ts" },
      { type: "resource_link", uri: "file:///a.ts", name: "a.ts" },
      { type: "image", mimeType: "image/png", data: "" }
    ]),
    "look at @a.ts · 1 file attached"
  )
})
