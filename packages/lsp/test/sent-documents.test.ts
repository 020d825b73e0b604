/** The messages that keep a server's copy of a document equal to ours. */
import { assert, describe, it } from "@effect/vitest"
import * as Positions from "@signalbox/acp/Positions"
import * as RandomTexts from "../../acp/test/RandomTexts.ts"
import type { Document } from "../src/documents/Document.ts"
import * as SentDocuments from "../src/running/SentDocuments.ts"
import type { SyncOptions } from "../src/running/SyncOptions.ts"
import { changed } from "./support/ServerCopy.ts"

interface Params {
  readonly textDocument: { readonly uri: string; readonly version: number; readonly text: string }
  readonly contentChanges?: Parameters<typeof changed>[1]
}

const options: SyncOptions = { opensAndCloses: true, kind: "incremental", willSave: false, saves: "none" }

const documentOf = (text: string, more: Partial<Document> = {}): Document => ({
  path: "/a.ts",
  uri: "file:///a.ts",
  languageId: "typescript",
  lines: Positions.of(text),
  version: 1,
  opening: 1,
  owner: "editor",
  stamp: undefined,
  since: undefined,
  ...more
})

/** A server that does what the messages say. Throws if they are out of order, or their versions don't rise. */
const server = (encoding: Positions.PositionEncoding) => {
  let copy: { readonly text: string; readonly version: number } | undefined
  return {
    copy: () => copy?.text,
    take: (messages: ReadonlyArray<SentDocuments.Message>) => {
      for (const { method, params } of messages) {
        const { contentChanges = [], textDocument } = params as Params
        if (method === "textDocument/didOpen") {
          assert.isUndefined(copy)
          copy = { text: textDocument.text, version: textDocument.version }
        } else if (method === "textDocument/didClose") {
          assert.isDefined(copy)
          copy = undefined
        } else {
          assert.strictEqual(method, "textDocument/didChange")
          assert.isAbove(textDocument.version, copy?.version ?? Infinity)
          copy = { text: changed(copy?.text ?? "", contentChanges, encoding), version: textDocument.version }
        }
      }
    }
  }
}

/** Surrogates without their other half can't be sent as UTF-8: they are left out. */
const sendable = (text: string): string => text.toWellFormed().replaceAll("\ufffd", "")

describe("documents that a server has", () => {
  for (const encoding of ["utf-8", "utf-16", "utf-32"] as const)
    for (const kind of ["full", "incremental"] as const)
      it(`stay equal to ours after any changes: ${kind}, ${encoding}`, () => {
        for (let seed = 1; seed <= 60; seed++) {
          const texts = RandomTexts.of(seed)
          const sent = SentDocuments.make({ encoding, syncOf: () => ({ ...options, kind }) })
          const far = server(encoding)
          let document = documentOf(sendable(texts.text(40)))
          far.take(sent.bring(document))
          for (let round = 0; round < 12; round++) {
            const changes = Array.from({ length: 1 + texts.below(4) }, () => {
              const change = texts.change(document.lines.count)
              return { ...change, text: sendable(change.text) }
            })
            const version = document.version + 1 + texts.below(3)
            const since = { version: document.version, changes }
            document = documentOf(document.lines.change(changes).text, { version, since })
            // Sometimes a version is never sent.
            if (texts.below(4) > 0) {
              far.take(sent.bring(document))
              assert.strictEqual(far.copy(), document.lines.text)
            }
          }
          far.take(sent.bring({ ...document, opening: 2, lines: Positions.of("anew") }))
          assert.strictEqual(far.copy(), "anew")
          far.take(sent.close(document.path))
          assert.isUndefined(far.copy())
        }
      })

  it("are sent once for each version, and closed once", () => {
    const sent = SentDocuments.make({ encoding: "utf-16", syncOf: () => options })
    const document = documentOf("one")
    assert.strictEqual(sent.bring(document).length, 1)
    assert.deepStrictEqual(sent.bring(document), [])
    assert.strictEqual(sent.close("/a.ts").length, 1)
    assert.deepStrictEqual(sent.close("/a.ts"), [])
  })

  it("of the disk are closed beyond the limit, the oldest first, and those of an editor stay open", () => {
    const sent = SentDocuments.make({ encoding: "utf-16", syncOf: () => options })
    sent.bring(documentOf("edited", { path: "/edited.ts", uri: "file:///edited.ts" }))
    const closed: Array<unknown> = []
    for (let index = 0; index < 70; index++) {
      const path = `/${index}.ts`
      const messages = sent.bring(documentOf("", { path, uri: `file://${path}`, owner: "disk" }))
      for (const { method, params } of messages)
        if (method === "textDocument/didClose") closed.push((params as Params).textDocument.uri)
    }
    assert.deepStrictEqual(closed, [
      "file:///0.ts",
      "file:///1.ts",
      "file:///2.ts",
      "file:///3.ts",
      "file:///4.ts",
      "file:///5.ts"
    ])
    assert.isDefined(sent.of("/edited.ts"))
  })

  it("are announced and saved as the server wants, and not changed where it takes no changes", () => {
    const wants = (syncOptions: Partial<SyncOptions>) => {
      const sent = SentDocuments.make({ encoding: "utf-16", syncOf: () => ({ ...options, ...syncOptions }) })
      const first = sent.bring(documentOf("one"))
      const second = sent.bring(documentOf("two", { version: 2 }))
      return [...first, ...second, ...sent.willSave("/a.ts"), ...sent.save("/a.ts")].map(({ method, params }) =>
        "text" in params ? `${method} with text` : method
      )
    }
    assert.deepStrictEqual(wants({ kind: "none", opensAndCloses: false }), [])
    assert.deepStrictEqual(wants({ kind: "full", saves: "text", willSave: true }), [
      "textDocument/didOpen",
      "textDocument/didChange",
      "textDocument/willSave",
      "textDocument/didSave with text"
    ])
    assert.include(wants({ saves: "plain" }), "textDocument/didSave")
  })
})
