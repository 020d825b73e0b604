/** Language servers and the agent for suggestions: what is found wrong reaches the agent, and a rename has the places of the symbol. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { PageId } from "@signalbox/contracts/Documents"
import * as Stream from "effect/Stream"
import { given, page, put, setUp, toldUntil } from "../suggestions/Page.ts"
import { typescriptIn } from "./TypeScript.ts"

const suggester = fileURLToPath(new URL("../agents/suggester.mjs", import.meta.url))

describe("suggestions beside a language server", { timeout: 120_000 }, () => {
  it.live("know what it finds, and rename the symbol in all files and nothing else", () =>
    Effect.gen(function* () {
      const { client, cwd, state, threadId } = yield* setUp({})
      const uri = pathToFileURL(join(cwd, "main.ts")).href
      const rename = { kind: "rename", id: "r", uri, position: { line: 1, character: 14 }, newName: "total" }
      // A person has given the definition its new name already.
      const halfDone = "export const unit = 1\nexport const two = one + one\n"
      const ownUri = pathToFileURL(join(cwd, "own.ts")).href
      const rest = { kind: "rename", id: "s", uri: ownUri, position: { line: 1, character: 19 }, newName: "unit" }
      const own = {
        name: "Own",
        command: process.execPath,
        args: [suggester],
        env: { SUGGESTER: JSON.stringify({ answers: [[rename, rest]] }) }
      }
      put(state, {
        agents: { own },
        suggestions: { provider: "own", debounce: 0 },
        languageServers: { typescript: typescriptIn(state) }
      })
      execFileSync("git", ["init", "-q"], { cwd })
      writeFileSync(join(cwd, ".gitignore"), "hidden.ts\n")
      writeFileSync(
        join(cwd, "tsconfig.json"),
        JSON.stringify({ compilerOptions: { strict: true, module: "nodenext" } })
      )
      writeFileSync(join(cwd, "sum.ts"), "export const sum = (one: number): number => one\n")
      writeFileSync(join(cwd, "hidden.ts"), 'import { sum } from "./sum.js"\nsum(1)\n')
      writeFileSync(join(cwd, "own.ts"), halfDone.replace("unit", "one"))
      writeFileSync(join(cwd, "use.ts"), 'import { one } from "./own.js"\nconst one2 = one // one\n')
      const text = 'import { sum } from "./sum.js"\nconst more = sum("sum")\n// sum\n'
      const mine = yield* page(client)
      const me = { threadId, page: PageId.make("here") }
      // The settings are read a moment after they are written.
      if (mine.first.type === "off") yield* mine.next("on")
      const isWrong = yield* Deferred.make<void>()
      yield* client.watchLanguage(me).pipe(
        Stream.runForEach((frame) => {
          if (frame.type === "on")
            return client.reportToLanguage({
              ...me,
              reports: [
                { type: "opened", path: "main.ts", version: 1, text },
                { type: "opened", path: "own.ts", version: 1, text: halfDone }
              ]
            })
          const isFound = frame.type === "diagnostics" && frame.diagnostics.some(({ severity }) => severity === "error")
          return isFound ? Deferred.succeed(isWrong, undefined) : Effect.void
        }),
        Effect.forkScoped
      )
      yield* mine.open("own.ts", halfDone)
      yield* mine.open("main.ts", text)
      yield* Deferred.await(isWrong)

      // The agent hears of the error with its next question.
      const wrong = "Argument of type 'string' is not assignable to parameter of type 'number'."
      const ask = mine.suggest("main.ts", 1, 1, 14)
      const { tape = assert.fail("There is a tape") } = yield* Effect.andThen(ask, mine.sent())
      yield* ask.pipe(
        Effect.andThen(Effect.sync(() => readFileSync(tape, "utf8").includes(wrong))),
        Effect.repeat({ until: (isThere) => isThere, schedule: Schedule.spaced("50 millis") })
      )
      const asked = (yield* toldUntil(tape, (all) => JSON.stringify(all).includes(wrong))).findLast(
        ({ method, params }) => method === "nes/suggest" && JSON.stringify(params).includes(wrong)
      )
      assert.include(JSON.stringify(asked?.params), `"uri":"${uri}"`)

      const [suggestion = assert.fail("There is one"), half = assert.fail("There are two")] = given(
        yield* ask
      ).suggestions
      const { basis, cut, files } = yield* mine.places(suggestion.id)
      assert.strictEqual(basis, "These are all places of the symbol, in all files, by TypeScript language server.")
      assert.include(cut, "hidden.ts is left alone.")
      assert.deepStrictEqual(
        files.map(({ path, places }) => [
          path,
          places.map(({ line, newText, range }) => [range.start.line, newText, line])
        ]),
        [
          [
            "main.ts",
            [
              [0, "total", 'import { sum } from "./sum.js"'],
              [1, "total", 'const more = sum("sum")']
            ]
          ],
          ["sum.ts", [[0, "total", "export const sum = (one: number): number => one"]]]
        ]
      )

      // The rest of a rename that has begun: where the definition has another name, the other places mean nothing.
      const rests = yield* mine.places(half.id)
      assert.strictEqual(
        rests.basis,
        "These are all places of the symbol, in all files, by TypeScript language server. It was asked about the text with one in line 1, where unit stands now."
      )
      assert.deepStrictEqual(
        rests.files.map(({ path, places }) => [
          path,
          places.map(({ newText, range: { start } }) => [start.line, start.character, newText])
        ]),
        [
          [
            "own.ts",
            [
              [1, 19, "unit"],
              [1, 25, "unit"]
            ]
          ],
          [
            "use.ts",
            [
              [0, 9, "unit"],
              [1, 13, "unit"]
            ]
          ]
        ]
      )
    }).pipe(Effect.scoped)
  )
})
