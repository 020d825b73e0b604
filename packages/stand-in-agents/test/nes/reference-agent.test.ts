import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Editor from "./Editor.ts"

const encodings = ["utf-8", "utf-16", "utf-32"] as const
const syncs = ["incremental", "full"] as const

const live = <A, E>(test: Effect.Effect<A, E, Effect.Services<ReturnType<typeof Editor.connect>>>) =>
  test.pipe(Effect.scoped, Effect.provide(NodeServices.layer))

/** A file with characters of every width before the places of edits, and every end of a line. */
const file = [
  'type Farbe = "rot" | "grün" | "blau 😀"\r\n',
  "/* 😀é€ */ function lade(größe: number) {}\r\n",
  "/* 😀é€ */ const zahl = lade(1)\r\n",
  "/* é */ lade(2); lade(/* 😀 */ 3)\n",
  'print("😀", zahl)\r',
  "/* nichts */\n".repeat(30),
  '/* 😀 */ log.info("é")\n',
  "/* nichts */\n".repeat(30),
  '/* 😀😀 */ log.info("€")\n',
  'switch (farbe) {\n  case "rot":\n    geh()\n\n}\n'
].join("")

const after = [
  'type Farbe = "rot" | "grün" | "blau 😀"\r\n',
  "/* 😀é€ */ function lade(größe: number, ende: string) {}\r\n",
  "/* 😀é€ */ const summe = lade(1, ende)\r\n",
  "/* é */ lade(2, ende); lade(/* 😀 */ 3, ende)\n",
  'print("😀", summe)\r',
  "/* nichts */\n".repeat(30),
  '/* 😀 */ log.warn("é")\n',
  "/* nichts */\n".repeat(30),
  '/* 😀😀 */ log.warn("€")\n',
  'switch (farbe) {\n  case "rot":\n    geh()\n  case "grün":\n}\n'
].join("")

describe("The reference agent", () => {
  for (const encoding of encodings)
    for (const sync of syncs)
      it.live(`leads through a file by its suggestions: ${encoding}, ${sync}`, () =>
        live(
          Effect.gen(function* () {
            const editor = yield* Editor.start({ args: ["--sync", sync], encodings: [encoding] })
            assert.strictEqual(editor.nes.encoding, encoding)
            assert.strictEqual(editor.capabilities.nes.events?.document?.didChange?.syncKind, sync)
            yield* editor.open("a.ts", file)
            yield* editor.open("b.ts", "export const doppelt = 2 * zahl // 😀\n")
            const kinds: Array<string> = []
            /** Accepts the first suggestion, again and again, until nothing is suggested. */
            const acceptAll = Effect.gen(function* () {
              for (let count = 0; count < 10; count++) {
                const [first] = yield* editor.suggest()
                if (first === undefined) return
                kinds.push(first.kind)
                yield* editor.accept(first)
              }
              assert.fail("The suggestions do not end")
            })

            editor.goTo("a.ts", "zahl", "after")
            yield* editor.type("\b\b\b\bsumme")
            yield* acceptAll
            assert.deepStrictEqual(kinds.splice(0), ["rename", "searchAndReplace"])
            assert.strictEqual(editor.textIn("b.ts"), "export const doppelt = 2 * summe // 😀\n")

            editor.goTo("a.ts", "größe: number", "after")
            yield* editor.type(", ende: string")
            yield* acceptAll
            assert.deepStrictEqual(kinds.splice(0), ["edit", "edit", "edit"])

            editor.goTo("a.ts", "log.info", "after")
            yield* editor.type("\b\b\b\bwarn")
            yield* acceptAll
            assert.deepStrictEqual(kinds.splice(0), ["jump", "edit"])

            editor.goTo("a.ts", "geh()\n", "after")
            yield* editor.type("  case ")
            yield* acceptAll
            assert.deepStrictEqual(kinds.splice(0), ["edit"])
            assert.strictEqual(editor.textIn("a.ts"), after)
            assert.deepStrictEqual([...editor.nes.refused], [])
          })
        )
      )
})
