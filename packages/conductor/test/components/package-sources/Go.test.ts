/** Modules of Go, by a real `go`, from a proxy of files. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { once } from "node:events"
import { createServer } from "node:http"
import { join } from "node:path"
import { temporaryFolder } from "../../../../system/test/support/TemporaryFolder.ts"
import * as GoEcosystem from "../../../src/ecosystems/go/GoEcosystem.ts"
import * as GoProxy from "./GoProxy.ts"

const left = "example.org/left"

/** An ecosystem with a proxy and a project, and what it says of a query: the source, or what is wrong. */
const start = Effect.fnUntraced(function* (modules: GoProxy.Modules, goMod?: string) {
  const proxy = GoProxy.of(modules)
  yield* GoProxy.use(proxy)
  const cache = temporaryFolder("cache")
  const cwd = temporaryFolder("project")
  if (goMod !== undefined) writeFileSync(join(cwd, "go.mod"), `module example.org/mine\n\n${goMod}\n`)
  const ecosystem = GoEcosystem.make(cache)
  const find = (name: string, range?: string) => ecosystem.find({ name, cwd, ...(range !== undefined && { range }) })
  const problem = (name: string, range?: string) => Effect.map(Effect.flip(find(name, range)), ({ message }) => message)
  return { cache, cwd, ecosystem, find, problem }
})

/** A proxy that takes questions and never answers. */
const silentProxy = Effect.acquireRelease(
  Effect.callback<{
    readonly url: string
    readonly asked: ReadonlyArray<string>
    /** Completes when nobody is connected any more. */
    readonly everybodyLeft: Effect.Effect<void>
    readonly stop: () => void
  }>((resume) => {
    const asked: Array<string> = []
    const ends: Array<Promise<unknown>> = []
    const server = createServer(({ url = "" }) => void asked.push(url))
    server.on("connection", (socket) => ends.push(once(socket, "close")))
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const stop = () => {
        server.closeAllConnections()
        server.close()
      }
      const everybodyLeft = Effect.promise(() => Promise.all(ends)).pipe(Effect.asVoid)
      resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, asked, everybodyLeft, stop }))
    })
  }),
  ({ stop }) => Effect.sync(stop)
)

describe.skipIf(!GoProxy.goIsThere)("A module of Go", () => {
  it.live("is the newest one that will do, and afterwards there without a proxy", () =>
    Effect.gen(function* () {
      const versions = ["v1.0.0", "v1.2.0", "v1.3.0-rc.1", "v1.2.3"]
      const { cache, cwd, find, problem } = yield* start({ [left]: versions })
      const source = yield* find(left, "^1.0")
      assert.deepInclude(source, { name: left, version: "v1.2.3", isFixed: true, notes: [] })
      assert.include(readFileSync(join(source.path, "left.go"), "utf8"), 'Version = "v1.2.3"')
      assert.strictEqual((yield* find(left)).version, "v1.2.3")
      assert.strictEqual((yield* find(left, "1.2.0")).version, "v1.2.0")
      // Nothing is left but the source, and the project is as it was.
      assert.deepStrictEqual(readdirSync(join(cache, "work")), [])
      assert.deepStrictEqual(readdirSync(cwd), [])
      process.env["GOPROXY"] = "off"
      assert.strictEqual((yield* find(left, "v1.2.0")).version, "v1.2.0")
      const offline = yield* find(left, "~1.2")
      assert.strictEqual(offline.version, "v1.2.3")
      assert.include(offline.notes.join(), "The proxy could not be reached")
      assert.match(
        yield* problem("example.org/right"),
        /^The proxy can't be reached, and the module example\.org\/right is not on this machine\. /
      )
    })
  )

  it.live("that does not exist is named, with the versions that there are", () =>
    Effect.gen(function* () {
      const { cache, problem } = yield* start({ [left]: ["v1.0.0", "v1.1.0"] })
      assert.match(
        yield* problem("example.org/none"),
        /^There is no module example\.org\/none\. Name the module itself/
      )
      assert.match(yield* problem(left, "v1.9.0"), /^example\.org\/left v1\.9\.0 could not be fetched\. .*no such file/)
      assert.strictEqual(
        yield* problem(left, "^2"),
        "There is no module example.org/left with a version that matches ^2. The newest ones are v1.1.0, v1.0.0. From version 2 on, a module has its version in its path, such as example.org/left/v2."
      )
      for (const range of ["one two", "@upgrade", ">=v1; rm -rf /"])
        assert.include(yield* problem(left, range), "is no range of versions of example.org/left", range)
      for (const name of ["left", "../left", "-json", "example.org/../left", "example.org/a b", "example.org/", "/etc"])
        assert.include(yield* problem(name), "is no path of a Go module", name)
      assert.deepStrictEqual(readdirSync(join(cache, "work")), [])
    })
  )

  it.live("is the version that the project uses, or what the project puts in its place", () =>
    Effect.gen(function* () {
      const modules = { [left]: ["v1.0.0", "v1.1.0"], "example.org/fork": ["v1.0.5"], "example.org/right": ["v1.0.0"] }
      const requires = `require (\n\t${left} v1.0.0\n\texample.org/right v1.0.0\n)`
      const plain = yield* start(modules, requires)
      assert.isTrue(yield* plain.ecosystem.isUsedIn(plain.cwd))
      assert.strictEqual((yield* plain.find(left)).version, "v1.0.0")
      assert.strictEqual((yield* plain.find(left, "latest")).version, "v1.1.0")
      const before = readFileSync(join(plain.cwd, "go.mod"), "utf8")
      assert.strictEqual((yield* plain.find("example.org/fork")).version, "v1.0.5")
      assert.deepStrictEqual(readdirSync(plain.cwd), ["go.mod"])
      assert.strictEqual(readFileSync(join(plain.cwd, "go.mod"), "utf8"), before)

      const { cwd, find } = yield* start(
        modules,
        `${requires}\nreplace ${left} => example.org/fork v1.0.5\nreplace example.org/right => ./own`
      )
      mkdirSync(join(cwd, "own"))
      writeFileSync(join(cwd, "own", "go.mod"), "module example.org/right\n")
      const fork = yield* find(left)
      assert.strictEqual(fork.version, "v1.0.5")
      assert.include(readFileSync(join(fork.path, "left.go"), "utf8"), 'Version = "v1.0.5"')
      assert.deepInclude(yield* find("example.org/right"), { path: join(cwd, "own"), isFixed: false })
      // A query that names a version gets the published module.
      assert.include((yield* find(left, "v1.1.0")).path, "left@v1.1.0")
    })
  )

  it.live("whose proxy never answers is given up, and no program is left behind", () =>
    Effect.gen(function* () {
      const { asked, everybodyLeft, url } = yield* silentProxy
      yield* GoProxy.use(url)
      const cache = temporaryFolder("cache")
      const { message } = yield* Effect.flip(
        GoEcosystem.make(cache, 6).find({ name: left, range: "^1", cwd: temporaryFolder("project") })
      )
      assert.isNotEmpty(asked)
      // A program that lived would still wait for its answer.
      yield* everybodyLeft
      assert.strictEqual(
        message,
        `The proxy can't be reached, and the module ${left} with a version that matches ^1 is not on this machine. go did not end within 6 seconds.`
      )
      assert.deepStrictEqual(existsSync(join(cache, "work")) ? readdirSync(join(cache, "work")) : [], [])
    })
  )
})
