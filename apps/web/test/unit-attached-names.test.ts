import { assert, describe, it } from "@effect/vitest"
import { attachmentUri, nameIn } from "../src/transcript/attachedNames.ts"

describe("the name of what goes along with a prompt", () => {
  it("is that of the file, with the lines of a selection", () => {
    assert.strictEqual(nameIn("file:///a/my%20file.ts#L3-L7"), "my file.ts 3–7")
    assert.strictEqual(nameIn("file:///a/b.ts#L3-L3"), "b.ts 3")
    assert.strictEqual(nameIn("file:///a/b.ts#L3"), "b.ts 3")
    assert.strictEqual(nameIn(attachmentUri("notes.md")), "notes.md")
  })

  it("is the whole address where it is of another kind, or badly encoded", () => {
    for (const uri of ["file:///a/b.ts", "https://a.test/b.ts#L3-L7", "attachment:%", "file:///a/%#L1-L2"])
      assert.strictEqual(nameIn(uri), uri)
  })
})
