/** What version 2 has no text for, and version 1 does: patches, and messages that are sent again. */
import { assert, describe, it } from "@effect/vitest"
import * as GitPatch from "../src/internal/v2/GitPatch.ts"
import * as Messages from "../src/internal/v2/Messages.ts"

describe("GitPatch", () => {
  it("reads files that changed in several places, came, went and moved, and lines that look like more", () => {
    const patch = [
      "diff --git a/a.ts b/a.ts",
      "index 1..2 100644",
      "--- a/a.ts",
      "+++ b/a.ts",
      "@@ -1,2 +1,2 @@ function first()",
      " one",
      "--- two",
      "+++ 2",
      "@@ -9,1 +9,2 @@",
      " nine",
      "+",
      "\\ No newline at end of file",
      "diff --git a/new.ts b/new.ts",
      "new file mode 100644",
      "--- /dev/null",
      "+++ b/new.ts",
      "@@ -0,0 +1 @@",
      "+first",
      "diff --git a/gone.ts b/gone.ts",
      "--- a/gone.ts\t2026-11-22",
      "+++ /dev/null",
      "@@ -1 +0,0 @@",
      "-last",
      'diff --git "a/an old name" "b/a new name"',
      "similarity index 100%",
      "rename from an old name",
      "rename to a new name",
      ""
    ].join("\n")
    assert.deepStrictEqual(GitPatch.parse(patch), [
      { path: "a.ts", oldText: "one\n-- two\nnine\n", newText: "one\n++ 2\nnine\n\n" },
      { path: "new.ts", oldText: null, newText: "first\n" },
      { path: "gone.ts", oldText: "last\n", newText: "" }
    ])
  })

  it("finds nothing in what is no patch", () => {
    assert.deepStrictEqual(GitPatch.parse("Just words\n+ and a list\n"), [])
  })
})

describe("Messages", () => {
  const text = (text: string) => ({ type: "text" as const, text })
  const image = { type: "image" as const, data: "", mimeType: "image/png" }
  const told = (messages: Messages.Messages, ...content: Parameters<Messages.Messages["whole"]>[2]) =>
    messages.whole("agent_message_chunk", "m", content).map(({ content, messageId }) => [messageId, content])

  it("sends of a whole message what is missing, in its order if nothing was sent", () => {
    const messages = Messages.make()
    assert.deepStrictEqual(told(messages, text("a"), image, text("b")), [
      ["m", text("a")],
      ["m", image],
      ["m", text("b")]
    ])
    assert.deepStrictEqual(told(messages, text("a"), image, text("bc"), image), [
      ["m", text("c")],
      ["m", image]
    ])
    assert.deepStrictEqual(told(messages, text("a"), image, text("bc"), image), [])
  })

  it("sends another text anew, and what goes on from there under its new name", () => {
    const messages = Messages.make()
    assert.strictEqual(messages.chunk("m", text("Hello")), "m")
    assert.deepStrictEqual(told(messages, text("Hell")), [["m:2", text("Hell")]])
    assert.strictEqual(messages.chunk("m", text("o")), "m:2")
    assert.deepStrictEqual(told(messages, text("Hello, you")), [["m:2", text(", you")]])
  })

  it("knows a long text by its beginning and its length", () => {
    const messages = Messages.make()
    const long = "x".repeat(100_000)
    for (let at = 0; at < long.length; at += 1_000) messages.chunk("m", text(long.slice(at, at + 1_000)))
    assert.deepStrictEqual(told(messages, text(`${long}!`)), [["m", text("!")]])
    assert.deepStrictEqual(told(messages, text(`y${long}!`)), [["m:2", text(`y${long}!`)]])
  })
})
