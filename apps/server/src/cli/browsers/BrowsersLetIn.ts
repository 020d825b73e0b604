/**
 * `signalbox browsers`: lists and shuts out the browsers that were let in. Works on the file, so no server needs to
 * run.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import { browsersIn } from "../../base/StateDirectory.ts"
import * as Browsers from "@signalbox/loopback/Browsers"
import { failedWith } from "../terminal/Failure.ts"
import { jsonText } from "../terminal/JsonText.ts"
import * as StateFolder from "../server/StateFolder.ts"
import * as Stdout from "../terminal/Stdout.ts"
import { table } from "../terminal/Table.ts"
import * as Terminal from "../terminal/Terminal.ts"

interface Flags {
  readonly stateDir: Option.Option<string>
}

const letIn = Effect.fnUntraced(function* ({ stateDir }: Flags) {
  const file = browsersIn(yield* StateFolder.of(stateDir))
  const browsers = Browsers.listed(file, yield* Clock.currentTimeMillis)
  return { file, browsers }
})

export const list = Effect.fn("BrowsersLetIn.list")(function* (flags: Flags & { readonly json: boolean }) {
  const { browsers } = yield* letIn(flags)
  if (browsers.length === 0 && !flags.json) return Terminal.err("No browser is let in.")
  const rows = browsers.map(({ lastHereAt }) => ({
    lastHereAt: new Date(lastHereAt).toISOString(),
    expiresAt: new Date(lastHereAt + Browsers.expiresAfter).toISOString()
  }))
  const lines = flags.json
    ? rows.map((row) => jsonText(row))
    : table(
        [
          { heading: "LAST HERE", cell: ({ lastHereAt }) => lastHereAt },
          { heading: "EXPIRES", cell: ({ expiresAt }) => expiresAt }
        ],
        rows
      )
  yield* Stdout.unlessNobodyReads(Stdout.write(lines.map((line) => `${line}\n`).join("")))
})

export const forget = Effect.fn("BrowsersLetIn.forget")(function* (flags: Flags) {
  const { browsers, file } = yield* letIn(flags)
  // Also if no entry can be read: a damaged file lets nobody in, and is removed.
  yield* Effect.mapError(Browsers.shutOut(file), ({ problem }) => failedWith(problem))
  Terminal.err(browsers.length === 1 ? "1 browser is shut out." : `${browsers.length} browsers are shut out.`)
})
