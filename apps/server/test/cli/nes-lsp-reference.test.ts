/** `signalbox nes lsp` with the reference agent: what different editors get of it. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { ClientCapabilities } from "vscode-languageserver-protocol"
import * as LspEditor from "./support/LspEditor.ts"
import { at, opened, span } from "./support/LspWorkspace.ts"
import { referenceAgent } from "./support/ReferenceAgent.ts"

/** The last edit can be repeated far below. */
const far = `log.info(1)\n${"// filler\n".repeat(60)}log.info(2)\n`

describe("signalbox nes lsp with the reference agent", { timeout: 60_000 }, () => {
  const editors: ReadonlyArray<{
    readonly name: string
    readonly editorCan: ClientCapabilities
    readonly title: string
  }> = [
    {
      name: "that shows no documents gets the change at a far place",
      editorCan: { ...LspEditor.actionsOnly, window: { showDocument: { support: false } } },
      title: "Replace “info” by “warn” on line 62"
    },
    {
      name: "that shows documents gets the jump to a far place",
      editorCan: { ...LspEditor.actionsOnly, window: { showDocument: { support: true } } },
      title: "Go to line 62"
    }
  ]
  for (const { editorCan, name, title } of editors)
    it.live(`an editor ${name}`, () =>
      Effect.gen(function* () {
        const { editor, uri: first } = yield* opened({ editorCan, agent: referenceAgent() })
        const uri = first.replace("a.ts", "b.ts")
        yield* editor.open(uri, far)
        yield* editor.change(uri, [{ range: span(0, 4, 8), newText: "warn" }])
        const actions = yield* editor.actions(uri, at(0, 8))
        assert.deepStrictEqual(
          actions.map((action) => action.title),
          [title]
        )
        assert.strictEqual((yield* editor.leave).code, 0)
      })
    )
})
