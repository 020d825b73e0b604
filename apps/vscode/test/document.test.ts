import { assert, describe, it } from "@effect/vitest"
import { documentOf } from "../src/view/Document.ts"

const document = documentOf({ parts: "https://parts.test/view", source: "https://source.test" })

describe("the document of the chat", () => {
  it("lets in scripts and styles of the extension, and nothing else", () => {
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(document)?.[1] ?? ""
    assert.include(policy, "default-src 'none'")
    assert.include(policy, "script-src https://source.test;")
    assert.include(policy, "style-src https://source.test;")
    assert.include(policy, "require-trusted-types-for 'script'; trusted-types 'none'")
    assert.notMatch(policy, /unsafe|connect-src|\*/)
  })

  it("has no inline scripts or styles, which that policy would not let in", () => {
    assert.notMatch(document, /<style|<script(?![^>]* src=)|style="/)
    assert.include(document, 'src="https://parts.test/view/chat.js"')
    assert.include(document, 'href="https://parts.test/view/chat.css"')
  })
})
