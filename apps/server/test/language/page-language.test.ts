/** What pages get of language servers: a real server, a real typescript-language-server, and the texts of a page. */
import { assert, describe, it } from "@effect/vitest"
import { PageId } from "@signalbox/contracts/Documents"
import type { DocumentReport } from "@signalbox/contracts/DocumentReport"
import { ThreadId } from "@signalbox/contracts/Ids"
import type { LanguageFrame } from "@signalbox/contracts/LanguageFeatures"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { call, temporaryFolder } from "../cli/support/Signalbox.ts"
import { framesOf } from "../support/Frames.ts"
import { served } from "../support/ServedThreads.ts"
import { scripted } from "../../../../packages/lsp/test/support/Scripted.ts"
import { typescriptIn } from "./TypeScript.ts"

const at = (line: number, character: number) => ({ line, character })

const files = {
  "tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, module: "nodenext" }, include: ["src"] }),
  "src/sum.ts": "/** Adds two numbers. */\nexport const sum = (one: number, two: number): number => one + two\n",
  "src/main.ts": 'import { sum } from "./sum.js"\n\nconsole.log(sum(1, 2))\n'
}

const compare = (one: string, other: string) => one.localeCompare(other)

type FrameOf<Type extends LanguageFrame["type"]> = Extract<LanguageFrame, { readonly type: Type }>

/** A server whose settings have these language servers, and a thread in a project. */
const setUp = Effect.fnUntraced(function* (more: object = {}) {
  const state = realpathSync(temporaryFolder("state"))
  const typescript = typescriptIn(state)
  const put = (servers: object) =>
    writeFileSync(join(state, "settings.json"), JSON.stringify({ languageServers: servers }))
  put({ typescript, ...more })
  const visitor = yield* served(state)
  const { cwd, threadId } = yield* visitor.open("t")
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(cwd, "src"), { recursive: true })
    writeFileSync(join(cwd, name), text)
  }
  return { ...visitor, state, typescript, put, cwd: realpathSync(cwd), threadId }
})

type Client = Effect.Success<ReturnType<typeof setUp>>["client"]

/** A page that follows language servers until the scope closes. */
const page = Effect.fnUntraced(function* (client: Client, name = "here") {
  const me = { threadId: ThreadId.make("t"), page: PageId.make(name) }
  const { next, watching } = yield* framesOf(client.watchLanguage(me))
  const first = yield* next("on")
  const asked = (path: string, version: number, line: number, character: number) => ({
    ...me,
    path,
    version,
    position: at(line, character)
  })
  const report = (...reports: ReadonlyArray<DocumentReport>) => client.reportToLanguage({ ...me, reports })
  return {
    first,
    watching,
    next,
    report,
    open: (path: string, text: string, version = 1) => report({ type: "opened", path, version, text }),
    hover: (...place: Parameters<typeof asked>) => client.hover(asked(...place)),
    definitions: (...place: Parameters<typeof asked>) => client.findDefinitions(asked(...place)),
    references: (...place: Parameters<typeof asked>) => client.findReferences(asked(...place))
  }
})

const messages = ({ diagnostics }: FrameOf<"diagnostics">) => diagnostics.map(({ message }) => message)

describe("language servers for a page", { timeout: 120_000 }, () => {
  it.live("know the text of the page, and end with the server", () =>
    Effect.gen(function* () {
      const finding = { range: { start: at(0, 0), end: at(0, 5) }, message: "Say more.", severity: 2 }
      const asked = yield* scripted({
        capabilities: {
          textDocumentSync: 1,
          diagnosticProvider: { interFileDependencies: false, workspaceDiagnostics: false }
        },
        on: {
          "textDocument/diagnostic": [
            { do: "answer", result: { kind: "full", items: [finding] } },
            { do: "answer", result: { kind: "full", items: [] } }
          ]
        }
      })
      const { args, command, languages } = asked.definition
      const { client, cwd, server, state } = yield* setUp({ asked: { args, command, languages } })
      const mine = yield* page(client)
      // Nobody has saved this text.
      const unsaved = files["src/main.ts"].replace("sum(1, 2)", 'sum(1, "2")')
      yield* mine.open("src/main.ts", unsaved)
      assert.deepInclude(yield* mine.next("document"), { path: "src/main.ts", servers: ["typescript"] })
      const { servers } = yield* mine.next("servers", ({ servers }) => servers.some(({ phase }) => phase === "ready"))
      const [{ name, pid, root } = assert.fail("One runs")] = servers
      assert.deepStrictEqual([name, root], ["TypeScript language server", cwd])
      assert.isTrue(existsSync(`/proc/${pid}`))

      const wrong = yield* mine.next("diagnostics", ({ diagnostics }) => diagnostics.length > 0)
      assert.deepStrictEqual(
        [wrong.path, wrong.server, wrong.version, wrong.total, messages(wrong)],
        [
          "src/main.ts",
          "typescript",
          1,
          1,
          ["Argument of type 'string' is not assignable to parameter of type 'number'."]
        ]
      )
      assert.deepInclude(wrong.diagnostics[0], {
        range: { start: at(2, 19), end: at(2, 22) },
        severity: "error",
        source: "typescript",
        code: "2345"
      })
      const hover = yield* mine.hover("src/main.ts", 1, 2, 13)
      if (hover.type !== "hover") return assert.fail(hover.type)
      assert.include(hover.parts.map(({ text }) => text).join(), "Adds two numbers.")
      assert.deepStrictEqual(hover.range, { start: at(2, 12), end: at(2, 15) })
      assert.deepStrictEqual(yield* mine.definitions("src/main.ts", 1, 2, 13), {
        type: "locations",
        total: 1,
        locations: [
          {
            path: "src/sum.ts",
            range: { start: at(1, 13), end: at(1, 16) },
            line: files["src/sum.ts"].split("\n")[1] ?? "",
            mayOpen: true
          }
        ]
      })
      const uses = yield* mine.references("src/main.ts", 1, 2, 13)
      if (uses.type !== "locations") return assert.fail(uses.type)
      assert.deepStrictEqual(
        uses.locations.map(({ line, path, range }) => `${path}:${range.start.line}: ${line}`).toSorted(compare),
        [
          'src/main.ts:0: import { sum } from "./sum.js"',
          // The text of the page, and not that of the disk.
          'src/main.ts:2: console.log(sum(1, "2"))',
          "src/sum.ts:1: export const sum = (one: number, two: number): number => one + two"
        ]
      )

      // A file outside of the folder is named, and can't be opened.
      const outside = yield* mine.definitions("src/main.ts", 1, 2, 9)
      if (outside.type !== "locations") return assert.fail(outside.type)
      for (const { mayOpen, path } of outside.locations) assert.deepStrictEqual([path[0], mayOpen], ["/", false])

      // The terminal names the same process.
      const { stdout } = yield* call(["stats", "--state-dir", state])
      assert.include(stdout.replaceAll(/\s+/g, " "), `Language servers ${name}: ready, process ${pid}, in ${cwd}`)

      // A change is about the text of before, and what was wrong is gone with its version.
      yield* mine.report({
        type: "changed",
        path: "src/main.ts",
        version: 2,
        changes: [{ range: { start: at(2, 19), end: at(2, 22) }, text: "2" }]
      })
      assert.strictEqual((yield* mine.hover("src/main.ts", 1, 2, 13)).type, "notOpen")
      assert.deepInclude(yield* mine.next("diagnostics", ({ version }) => version === 2), { diagnostics: [], total: 0 })

      // Another server publishes nothing, and is asked.
      yield* mine.open("notes.txt", "Short")
      const pulled = yield* mine.next("diagnostics", ({ path }) => path === "notes.txt")
      assert.deepStrictEqual([pulled.server, pulled.version, pulled.total], ["asked", 1, 1])
      assert.deepStrictEqual(pulled.diagnostics, [{ ...finding, severity: "warning" }])
      yield* mine.report({ type: "changed", path: "notes.txt", version: 2, changes: [{ text: "Long enough" }] })
      assert.deepInclude(yield* mine.next("diagnostics", ({ path }) => path === "notes.txt"), { version: 2, total: 0 })

      server.kill("SIGTERM")
      yield* server.ended
      assert.isFalse(existsSync(`/proc/${pid}`))
    }).pipe(Effect.scoped)
  )

  it.live("one page at a time has a file, and the text of a page that has gone is forgotten", () =>
    Effect.gen(function* () {
      const { client, cwd } = yield* setUp()
      const one = yield* page(client, "one")
      yield* one.open("src/main.ts", "const wrong: string = 1\n")
      assert.include(
        messages(yield* one.next("diagnostics", ({ total }) => total > 0)),
        "Type 'number' is not assignable to type 'string'."
      )
      const two = yield* page(client, "two")
      yield* two.open("src/main.ts", files["src/main.ts"].replace("2", "two"), 7)
      const others = yield* two.next("diagnostics", ({ total, version }) => version === 7 && total > 0)
      assert.deepStrictEqual(messages(others), ["Cannot find name 'two'."])
      const late = yield* one.report({
        type: "changed",
        path: "src/main.ts",
        version: 2,
        changes: [{ text: "const worse: string = 2\n" }]
      })
      assert.deepStrictEqual(late, { withheld: [], again: [], elsewhere: ["src/main.ts"] })
      assert.strictEqual((yield* one.hover("src/main.ts", 1, 0, 7)).type, "notOpen")
      assert.strictEqual((yield* two.hover("src/main.ts", 7, 2, 13)).type, "hover")

      yield* two.report({ type: "changed", path: "src/main.ts", version: 8, changes: [{ text: "" }] })
      yield* Fiber.interrupt(two.watching)
      // The disk counts again.
      writeFileSync(join(cwd, "src/other.ts"), 'import "./main.js"\nimport { sum } from "./sum.js"\nsum(1, 2)\n')
      yield* one.open("src/other.ts", 'import "./main.js"\nimport { sum } from "./sum.js"\nsum(1, 2)\n')
      const uses = yield* one.references("src/other.ts", 1, 2, 1).pipe(
        Effect.repeat({
          until: (answer) => answer.type === "locations" && answer.locations.some(({ path }) => path === "src/main.ts"),
          schedule: Schedule.spaced("50 millis")
        })
      )
      if (uses.type !== "locations") return assert.fail(uses.type)
      assert.include(
        uses.locations.map(({ line }) => line),
        "console.log(sum(1, 2))"
      )
    }).pipe(Effect.scoped)
  )

  it.live("are turned on and off by the settings, at once, and refuse what they may not read", () =>
    Effect.gen(function* () {
      const { client, cwd, put, state, typescript } = yield* setUp()
      const mine = yield* page(client)
      yield* mine.open("src/main.ts", files["src/main.ts"])
      const { servers } = yield* mine.next("servers", ({ servers }) => servers.some(({ phase }) => phase === "ready"))
      const pid = servers[0]?.pid

      const outside = temporaryFolder("outside")
      writeFileSync(join(outside, "secret.ts"), "export const secret = 1\n")
      symlinkSync(join(outside, "secret.ts"), join(cwd, "src/link.ts"))
      for (const path of ["src/link.ts", join(outside, "secret.ts"), "../secret.ts"]) {
        const { withheld } = yield* mine.open(path, "export const secret = 1\n")
        assert.deepStrictEqual(
          withheld.map(({ path }) => path),
          [path]
        )
        assert.match(withheld[0]?.why ?? "", /is not asked about/)
      }
      // A language that nobody knows is kept by nobody.
      assert.deepStrictEqual(yield* mine.open("notes.txt", "x"), { withheld: [], again: [], elsewhere: [] })
      assert.deepStrictEqual(
        yield* mine.report({ type: "changed", path: "notes.txt", version: 2, changes: [{ text: "y" }] }),
        { withheld: [], again: [], elsewhere: [] }
      )
      assert.deepStrictEqual(yield* mine.hover("notes.txt", 2, 0, 0), {
        type: "none",
        why: "No language server is turned on for this file."
      })

      yield* client.turnLanguageServer({ id: "typescript", on: false })
      // What people have written about it stays.
      assert.deepStrictEqual(JSON.parse(readFileSync(join(state, "settings.json"), "utf8")), {
        languageServers: { typescript: { ...typescript, off: true } }
      })
      const { pool } = yield* mine.next("on")
      assert.notStrictEqual(pool, mine.first.pool)
      yield* Effect.sync(() => existsSync(`/proc/${pid}`)).pipe(
        Effect.repeat({ until: (runs) => !runs, schedule: Schedule.spaced("20 millis") })
      )
      yield* mine.open("src/main.ts", files["src/main.ts"])
      assert.deepInclude(yield* mine.next("document"), { servers: [] })

      yield* client.turnLanguageServer({ id: "typescript", on: true })
      const settings = () => readFileSync(join(state, "settings.json"), "utf8")
      assert.deepStrictEqual(JSON.parse(settings()), { languageServers: { typescript } })
      // What can't be read is not written over.
      put({ pyright: { args: "--stdio" } })
      const before = settings()
      for (const on of [true, false]) {
        const faulty = yield* Effect.flip(client.turnLanguageServer({ id: "pyright", on }))
        if (faulty._tag !== "Refused") return assert.fail(faulty._tag)
        assert.strictEqual(faulty.problem.title, "languageServers.pyright in the settings is not in force.")
      }
      assert.strictEqual(settings(), before)

      const unknown = yield* Effect.flip(client.turnLanguageServer({ id: "no-such", on: true }))
      if (unknown._tag !== "Refused") return assert.fail(unknown._tag)
      assert.strictEqual(unknown.problem.cause, "Signalbox knows no language server with the name no-such.")

      // What an entry lacks, and a program that is missing, are said with the next step.
      put({ lua: {}, mine: { languages: ["typescript"] } })
      const unusable = yield* mine.next("servers", ({ servers }) => servers.some(({ id }) => id === "lua"))
      assert.deepStrictEqual(
        unusable.servers.map(({ id, phase, problem }) => [id, phase, problem]),
        ["lua", "mine"].map((id) => [
          id,
          "given-up",
          `Signalbox knows no language server with the name ${id}. Add its "command" and its "languages".`
        ])
      )
      yield* mine.open("src/main.ts", files["src/main.ts"])
      assert.deepInclude(yield* mine.next("document"), { servers: ["mine"] })
      const health = yield* client.watchHealth().pipe(Stream.take(1), Stream.runHead)
      assert.deepStrictEqual(Option.getOrThrow(health).languageServers, unusable.servers)
      put({ typescript: { ...typescript, command: "/no/such/program" } })
      yield* mine.next("on")
      yield* mine.open("src/main.ts", files["src/main.ts"])
      const failed = yield* mine.next("servers", ({ servers }) => servers.some(({ phase }) => phase === "given-up"))
      assert.match(failed.servers[0]?.problem ?? "", /\/no\/such\/program/)
      const answer = yield* mine.hover("src/main.ts", 1, 2, 13)
      if (answer.type !== "none") return assert.fail(answer.type)
      assert.match(answer.why, /\/no\/such\/program/)
    }).pipe(Effect.scoped)
  )
})
