/** The documents of one page at language servers: who is asked for whom, and when. The servers stand still. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as PagePaths from "../../src/documents/PagePaths.ts"
import type { LanguagePool } from "../../src/language/LanguagePool.ts"
import * as LanguageVisit from "../../src/language/LanguageVisit.ts"

/** A visit whose documents are opened as soon as `opening` completes. */
const setUp = (opening: Effect.Effect<void> = Effect.void) => {
  const heard: Array<string> = []
  const note = (what: string) => (path: string) => Effect.sync(() => void heard.push(`${what} ${path}`))
  const pool: LanguagePool = {
    id: "1",
    definitions: [{ id: "ts", name: "TS", command: "ts", args: [], languages: ["typescript"], rootMarkers: [] }],
    unusable: [],
    servers: {
      forFile: () => Effect.succeed([]),
      forFolder: () => Effect.succeed([]),
      states: Effect.succeed([]),
      changes: Stream.empty,
      diagnostics: {
        of: () => Effect.succeed({ found: [], waitingFor: [] }),
        known: () => [],
        all: Effect.succeed([]),
        everywhere: () => Effect.succeed([]),
        changes: Stream.empty
      },
      documents: {
        open: ({ path }) => Effect.andThen(opening, note("open")(path)),
        change: note("change"),
        save: note("save"),
        close: note("close"),
        textOf: () => undefined,
        willSave: () => Effect.void,
        changedOnDisk: () => Effect.void
      }
    }
  }
  const visit = LanguageVisit.make({
    paths: PagePaths.make("/p"),
    owners: new Map(),
    onOpened: (_, path) => void heard.push(`asks for ${path}`)
  })
  visit.sitAt(pool)
  const type = (version: number) => visit.report([{ type: "changed", path: "a.ts", version, changes: [{ text: "" }] }])
  return { heard, visit, type, open: visit.report([{ type: "opened", path: "a.ts", version: 1, text: "" }]) }
}

describe("a page's documents at language servers", () => {
  it.effect("are asked about again while people type, twice a minute: a server may have ended", () =>
    Effect.gen(function* () {
      const { heard, open, type } = setUp()
      yield* open
      yield* TestClock.adjust("29 seconds")
      yield* type(2)
      assert.deepStrictEqual(heard, ["open /p/a.ts", "asks for /p/a.ts", "change /p/a.ts"])
      yield* TestClock.adjust("1 second")
      yield* type(3)
      yield* type(4)
      assert.deepStrictEqual(heard.slice(3), ["change /p/a.ts", "asks for /p/a.ts", "change /p/a.ts"])
    })
  )

  it.effect("are closed if the page has gone before they were open", () =>
    Effect.gen(function* () {
      const isOpen = yield* Deferred.make<void>()
      const { heard, open, visit } = setUp(Deferred.await(isOpen))
      const opening = yield* Effect.forkChild(open)
      yield* Effect.yieldNow
      yield* visit.leave
      yield* Deferred.succeed(isOpen, undefined)
      yield* Fiber.join(opening)
      assert.deepStrictEqual(heard, ["open /p/a.ts", "close /p/a.ts"])
      assert.isUndefined(visit.versionOf("a.ts"))
    })
  )
})
