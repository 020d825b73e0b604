/** Earlier research as the page lists it, read from the files in which components keep it. */
import { assert, describe, it } from "@effect/vitest"
import * as ResearchHistory from "@signalbox/conductor/components/package-sources/research/ResearchHistory"
import { most } from "@signalbox/contracts/KeptResearch"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"
import * as ResearchList from "../../src/provider/chain/ResearchList.ts"

const research = (at: number, cwd: string, findings: ReadonlyArray<unknown>) => ({
  at,
  cwd,
  findings,
  ecosystem: "npm",
  package: "left",
  version: "1.2.3",
  prompt: "What is it?",
  timedOut: false,
  isFixed: true,
  session: "s"
})

const componentAt = (cache: string) => ({ component: "package-sources", args: ["--cache", cache] })

describe("the list of earlier research", () => {
  it.live("has what was asked in its folder only, the latest first, from every cache that the settings name", () =>
    Effect.gen(function* () {
      const caches = [temporaryFolder("cache"), temporaryFolder("cache")]
      for (const [index, cache] of caches.entries()) {
        const history = ResearchHistory.make(join(cache, "history"), (line) => assert.fail(line))
        yield* history.add(research(1000 + index, "/mine", ["one", { two: 2 }]))
        yield* history.add(research(2000 + index, "/mine", ["x".repeat(most.findings + 7)]))
        yield* history.add(research(3000, "/yours", ["secret"]))
      }
      const components = [{ component: "git" }, ...caches.map(componentAt), ...caches.map(componentAt)]
      const { research: found, unread } = yield* ResearchList.read(components, "/mine")
      assert.deepStrictEqual(
        found.map(({ at, findings, left }) => [at, findings.length, left]),
        [
          [2001, most.findings, 7],
          [2000, most.findings, 7],
          [1001, 14, 0],
          [1000, 14, 0]
        ]
      )
      assert.strictEqual(found[3]?.findings, 'one\n\n{"two":2}')
      assert.deepStrictEqual(unread, [])
    })
  )

  it.live("cuts a question that is too long, and says so by its end", () =>
    Effect.gen(function* () {
      const cache = temporaryFolder("cache")
      const history = ResearchHistory.make(join(cache, "history"), (line) => assert.fail(line))
      yield* history.add({ ...research(1000, "/mine", []), prompt: "x".repeat(most.prompt) })
      yield* history.add({ ...research(2000, "/mine", []), prompt: "x".repeat(most.prompt + 1) })
      const { research: found } = yield* ResearchList.read([componentAt(cache)], "/mine")
      assert.deepStrictEqual(
        found.map(({ prompt }) => [prompt.length, prompt.at(-1)]),
        [
          [most.prompt + 1, "…"],
          [most.prompt, "x"]
        ]
      )
    })
  )

  it.live("says which file can’t be read, and has the others", () =>
    Effect.gen(function* () {
      const cache = temporaryFolder("cache")
      const history = ResearchHistory.make(join(cache, "history"), (line) => assert.fail(line))
      yield* history.add(research(1000, "/mine", ["one"]))
      yield* history.add(research(2000, "/mine", ["two"]))
      const [first = ""] = readdirSync(join(cache, "history"))
      writeFileSync(join(cache, "history", first), "{")
      const list = yield* ResearchList.read([componentAt(cache)], "/mine")
      assert.deepStrictEqual(
        list.research.map(({ findings }) => findings),
        ["two"]
      )
      assert.include(list.unread.join(), join(cache, "history", first))
    })
  )

  it.live("waits for no pipe, and has no file that is too long, names another one or an impossible time", () =>
    Effect.gen(function* () {
      const cache = temporaryFolder("cache")
      const folder = join(cache, "history")
      yield* ResearchHistory.make(folder, (line) => assert.fail(line)).add(research(1000, "/mine", ["one"]))
      const [first = ""] = readdirSync(folder)
      const text = readFileSync(join(folder, first), "utf8")
      const at = (time: number) => first.replace(/^\d{15}/, String(time).padStart(15, "0"))
      const placed = (time: number, from: string, to: string) =>
        writeFileSync(
          join(folder, at(time)),
          text.replace(`"id":"${first.slice(0, -5)}"`, `"id":"${at(time).slice(0, -5)}"`).replace(from, to)
        )
      execFileSync("mkfifo", [join(folder, at(2000))])
      symlinkSync("/dev/zero", join(folder, at(3000)))
      writeFileSync(join(folder, at(4000)), text)
      placed(5000, '"one"', `"${"x".repeat(4 * 1024 * 1024)}"`)
      placed(6000, '"at":1000', '"at":1e300')
      placed(7000, '"one"', '"seven"')
      const list = yield* ResearchList.read([componentAt(cache)], "/mine")
      assert.deepStrictEqual(
        list.research.map(({ findings }) => findings),
        ["seven", "one"]
      )
      const unread = [6000, 5000, 4000, 3000, 2000].map((time) => join(folder, at(time)))
      assert.lengthOf(list.unread, unread.length)
      unread.forEach((path, index) => assert.include(list.unread[index], path))
      for (const why of ["it is longer than 4 MiB", "it names another one", "it is no file"])
        assert.include(list.unread.join(), why)
    })
  )

  it.live("is empty without the component, with wrong arguments, and before the first question", () =>
    Effect.gen(function* () {
      const cache = temporaryFolder("cache")
      mkdirSync(join(cache, "history"))
      const without = [{ component: "git" }, { component: "package-sources", args: ["--approve", "x"] }]
      for (const components of [without, [componentAt(cache)], [componentAt(join(cache, "none"))]])
        assert.deepStrictEqual(yield* ResearchList.read(components, "/mine"), { research: [], unread: [] })
    })
  )
})
