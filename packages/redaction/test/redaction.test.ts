/** Credentials are found in a line of JSON, however its writer escapes characters. */
import { assert, describe, it } from "vitest"
import * as Redaction from "../src/Redaction.ts"

const message = (line: string): string => Redaction.message(JSON.parse(line), line)

describe("a line of JSON", () => {
  it.each([
    ["a name", String.raw`{"pass\u0077ord":"hunter2222222222"}`],
    ["slashes", String.raw`{"url":"https:\/\/user:hunter2222222222@host\/x"}`],
    ["slashes as numbers", String.raw`{"url":"https:\u002F\u002fuser:hunter2222222222@host"}`],
    ["a word before a secret", String.raw`{"text":"\u0042earer hunter2222222222"}`]
  ])("holds no secret where its writer escapes %s", (_, line) => {
    assert.include(message(line), Redaction.redacted)
    assert.notInclude(message(line), "hunter2222222222")
  })

  it("stays as it was where nothing may be a secret", () => {
    const line = String.raw`{"text": "\u001b[1mbold\u001b[0m\n"}`
    assert.strictEqual(message(line), line)
  })
})
