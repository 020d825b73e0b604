import { assert, describe, it } from "@effect/vitest"
import type * as Acp from "../src/AcpSchema.ts"
import * as PromptFit from "../src/PromptFit.ts"
import { text } from "./ClientSide.ts"

describe("PromptFit", () => {
  const image = (uri?: string): Acp.ContentBlock => ({
    type: "image",
    data: "AA==",
    mimeType: "image/png",
    ...(uri !== undefined && { uri })
  })
  const resource = (uri: string, words: string): Acp.ContentBlock => ({
    type: "resource",
    resource: { uri, text: words }
  })
  const prompt: ReadonlyArray<Acp.ContentBlock> = [
    text("Look"),
    image("file:///p/a%20b.png"),
    image(),
    { type: "audio", data: "AA==", mimeType: "audio/wav" },
    resource("file:///p/notes.md", "words"),
    resource("untitled:1", "draft"),
    { type: "resource", resource: { uri: "memory:blob", blob: "AA==" } },
    { type: "resource_link", uri: "untitled:2", name: "link" }
  ]

  it("[57] what an agent does not take becomes a link, else its words, else nothing; each is reported", () => {
    assert.deepStrictEqual(PromptFit.fit({}, prompt), {
      prompt: [
        text("Look"),
        { type: "resource_link", uri: "file:///p/a%20b.png", name: "a b.png", mimeType: "image/png" },
        { type: "resource_link", uri: "file:///p/notes.md", name: "notes.md" },
        { type: "text", text: "untitled:1:\n\ndraft" },
        { type: "resource_link", uri: "untitled:2", name: "link" }
      ],
      changes: [
        { index: 1, from: "image", to: "resource_link", needs: "promptCapabilities.image" },
        { index: 2, from: "image", to: undefined, needs: "promptCapabilities.image" },
        { index: 3, from: "audio", to: undefined, needs: "promptCapabilities.audio" },
        { index: 4, from: "resource", to: "resource_link", needs: "promptCapabilities.embeddedContext" },
        { index: 5, from: "resource", to: "text", needs: "promptCapabilities.embeddedContext" },
        { index: 6, from: "resource", to: undefined, needs: "promptCapabilities.embeddedContext" }
      ]
    })
  })

  it("[57] what an agent takes is left as it is", () => {
    const all = { promptCapabilities: { image: true, audio: true, embeddedContext: true } }
    assert.deepStrictEqual(PromptFit.fit(all, prompt), { prompt, changes: [] })
  })
})
