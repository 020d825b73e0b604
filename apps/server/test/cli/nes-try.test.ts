/** `signalbox nes try` over a real agent process. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import * as OrdinaryUser from "./support/OrdinaryUser.ts"
import { call, groupEnds, start, temporaryFolder } from "./support/Signalbox.ts"

const agent = `${process.execPath} ${fileURLToPath(new URL("../agents/suggester.mjs", import.meta.url))}`

interface Setup {
  readonly capabilities?: unknown
  readonly answers?: ReadonlyArray<ReadonlyArray<object> | null>
  readonly errors?: Readonly<Record<string, { readonly code: number; readonly message: string }>>
  readonly silent?: ReadonlyArray<string>
  readonly dies?: string
}

interface Message {
  readonly pid?: number
  readonly method?: string
  readonly params?: { readonly [name: string]: unknown }
}

/** A folder with a file, and what the agent is sent about it. */
const project = (text: string, name = "a.ts") => {
  const folder = realpathSync(temporaryFolder("project"))
  const file = join(folder, name)
  writeFileSync(file, text)
  const log = join(realpathSync(temporaryFolder("log")), "log")
  writeFileSync(log, "")
  const heard = (): ReadonlyArray<Message> =>
    readFileSync(log, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line))
  return {
    folder,
    file,
    uri: pathToFileURL(file).href,
    log,
    heard,
    text: () => readFileSync(file, "utf8"),
    said: (method: string) => heard().filter((message) => message.method === method),
    run: (args: ReadonlyArray<string>, setup: Setup, env: Readonly<Record<string, string>> = {}) =>
      call(["nes", "try", ...args, "--agent", agent], {
        cwd: folder,
        env: { SUGGESTER: JSON.stringify({ ...setup, log }), ...env }
      })
  }
}

const at = (line: number, from: number, to = from) => ({
  start: { line, character: from },
  end: { line, character: to }
})

const edit = (uri: string, range: object, newText: string) => ({
  id: "one",
  kind: "edit",
  uri,
  edits: [{ range, newText }]
})
const here = ["a.ts", "--line", "2", "--column", "9"]
const source = "const first = 1\nconst second = first\r\nconst third = 3"

describe.concurrent("signalbox nes try", { timeout: 60_000 }, () => {
  it.live("prints a diff that git applies, leaves the file alone, and ends the agent", () =>
    Effect.gen(function* () {
      const { file, folder, heard, run, said, text, uri } = project(source)
      const { code, stderr, stdout } = yield* run(here, { answers: [[edit(uri, at(1, 6, 12), "zweite😀")]] })
      assert.deepStrictEqual([code, stderr], [0, ""])
      assert.strictEqual(
        stdout,
        [
          "--- a/a.ts",
          "+++ b/a.ts",
          "@@ -1,3 +1,3 @@",
          " const first = 1",
          "-const second = first\r",
          "+const zweite😀 = first\r",
          " const third = 3",
          "\\ No newline at end of file",
          ""
        ].join("\n")
      )
      assert.strictEqual(text(), source)
      writeFileSync(join(folder, "p.diff"), stdout)
      execFileSync("git", ["apply", "p.diff"], { cwd: folder })
      assert.strictEqual(readFileSync(file, "utf8"), source.replace("second", "zweite😀"))

      const [open] = said("document/didOpen")
      assert.deepStrictEqual(open?.params, {
        sessionId: "session-1",
        uri,
        languageId: "typescript",
        version: 1,
        text: source
      })
      const [asked] = said("nes/suggest")
      assert.deepInclude(asked?.params, { uri, version: 1, position: { line: 1, character: 8 }, triggerKind: "manual" })
      assert.deepStrictEqual(
        said("nes/reject").map(({ params }) => params),
        [{ sessionId: "session-1", id: "one", reason: "ignored" }]
      )
      assert.strictEqual(heard().at(-1)?.method, "nes/close")
      yield* groupEnds(heard()[0]?.pid ?? 0)
    })
  )

  it.live("says in words what is no edit of the file, and shows what a rename and a replacement change here", () =>
    Effect.gen(function* () {
      const { folder, run, uri } = project("let count = 1\nprint(count, counter)\n")
      const other = uri.replace("a.ts", "b.ts")
      writeFileSync(join(folder, "b.ts"), "")
      const { code, stdout } = yield* run(["a.ts", "--line", "1", "--column", "1"], {
        answers: [
          [
            { id: "1", kind: "jump", uri, position: { line: 1, character: 6 } },
            { id: "2", kind: "rename", uri, position: { line: 0, character: 5 }, newName: "total" },
            { id: "3", kind: "searchAndReplace", uri, search: "count", replace: "n" },
            { id: "4", kind: "searchAndReplace", uri, search: "c(.*)t", replace: "n$1", isRegex: true },
            edit(other, at(0, 0), "x")
          ].map((one, index) => ({ ...one, id: String(index) }))
        ]
      })
      assert.strictEqual(code, 0)
      assert.strictEqual(
        stdout,
        [
          "# 1 of 5: Go to a.ts:2:7",
          "# 2 of 5: Rename count at a.ts:1:6 to total, by words of the file",
          "--- a/a.ts",
          "+++ b/a.ts",
          "@@ -1,2 +1,2 @@",
          "-let count = 1",
          "-print(count, counter)",
          "+let total = 1",
          "+print(total, counter)",
          '# 3 of 5: Replace "count" by "n" in a.ts',
          "--- a/a.ts",
          "+++ b/a.ts",
          "@@ -1,2 +1,2 @@",
          "-let count = 1",
          "-print(count, counter)",
          "+let n = 1",
          "+print(n, ner)",
          '# 4 of 5: Replace the pattern "c(.*)t" by "n$1" in a.ts',
          "--- a/a.ts",
          "+++ b/a.ts",
          "@@ -1,2 +1,2 @@",
          "-let count = 1",
          "-print(count, counter)",
          "+let noun = 1",
          "+print(nount, couner)",
          "# 5 of 5: Edit b.ts",
          "--- a/b.ts",
          "+++ b/b.ts",
          "@@ -0,0 +1,1 @@",
          "+x",
          "\\ No newline at end of file",
          ""
        ].join("\n")
      )
    })
  )

  it.live("counts no byte order mark as text, and leaves it at the beginning of the file", () =>
    Effect.gen(function* () {
      const { folder, run, said, uri } = project("\ufeffone\r\n", "a.cs")
      writeFileSync(join(folder, "b.cs"), "\ufefftwo\n")
      const other = uri.replace("a.cs", "b.cs")
      const answers = [[edit(uri, at(0, 0), "1"), { ...edit(other, at(0, 3, 3), "2"), id: "two" }]]
      const { stdout } = yield* run(["a.cs", "--line", "1", "--column", "2"], { answers })
      assert.strictEqual(said("document/didOpen")[0]?.params?.["text"], "one\r\n")
      assert.deepInclude(said("nes/suggest")[0]?.params, { position: { line: 0, character: 1 } })
      writeFileSync(join(folder, "p.diff"), stdout)
      execFileSync("git", ["apply", "p.diff"], { cwd: folder })
      assert.deepStrictEqual(
        ["a.cs", "b.cs"].map((name) => readFileSync(join(folder, name), "utf8")),
        ["\ufeff1one\r\n", "\ufefftwo2\n"]
      )
    })
  )

  it.live("counts columns in UTF-16 units, never within a character, and reports a suggestion as JSON", () =>
    Effect.gen(function* () {
      const { run, said, uri } = project("a😀 =\n")
      const answers = [[edit(uri, at(0, 5), " 1")]]
      for (const column of ["3", "4"]) {
        const { code, stdout } = yield* run(["a.ts", "--line", "1", "--column", column, "--json"], { answers })
        assert.strictEqual(code, 0)
        const { dropped, suggestions } = JSON.parse(stdout)
        assert.deepStrictEqual(dropped, [])
        assert.lengthOf(suggestions, 1)
        assert.deepInclude(suggestions[0], { kind: "edit", uri, words: "Edit a.ts" })
        assert.deepStrictEqual(suggestions[0].edits, [{ range: at(0, 5), newText: " 1" }])
        assert.include(suggestions[0].diff, "\n-a😀 =\n+a😀 = 1\n")
      }
      assert.deepStrictEqual(
        said("nes/suggest").map(({ params }) => params?.["position"]),
        [
          { line: 0, character: 1 },
          { line: 0, character: 3 }
        ]
      )
    })
  )

  it.live("replaces no file by a tape but an earlier tape", () =>
    Effect.gen(function* () {
      const { file, folder, heard, run, text } = project("const first = 1\n")
      const here = ["a.ts", "--line", "1", "--column", "1", "--tape"]
      symlinkSync(file, join(folder, "link"))
      for (const name of ["a.ts", "link"]) {
        const { code, stderr } = yield* run([...here, name], {})
        assert.strictEqual(code, 2, stderr)
        assert.include(stderr, "holds something else than a tape, so it is left alone.")
      }
      assert.strictEqual(text(), "const first = 1\n")
      assert.deepStrictEqual(heard(), [])
      for (const _ of ["new", "again"]) assert.strictEqual((yield* run([...here, "tape"], {})).code, 4)
    })
  )

  it.live("records every line on a tape: what was sent for a suggestion, without secrets of the environment", () =>
    Effect.gen(function* () {
      const { folder, run, uri } = project("const token = 'hunter2-hunter2'\n")
      const tape = join(folder, "tape.ndjson")
      const answers = [[edit(uri, at(0, 0), "// ")]]
      const { code } = yield* run(
        ["a.ts", "--line", "1", "--column", "1", "--tape", tape],
        { answers },
        {
          MY_TOKEN: "hunter2-hunter2"
        }
      )
      assert.strictEqual(code, 0)
      const lines = readFileSync(tape, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
      assert.deepInclude(lines[0].line, { event: "start", cwd: folder })
      const methods = lines.filter(({ dir }) => dir === "out").map(({ line }) => line.method)
      assert.includeMembers(methods, ["nes/start", "document/didOpen", "nes/suggest", "nes/reject", "nes/close"])
      assert.isTrue(lines.some(({ dir, line }) => dir === "in" && line.result?.suggestions?.length === 1))
      assert.strictEqual(lines.at(-1).line.event, "exit")
      assert.notInclude(readFileSync(tape, "utf8"), "hunter2-hunter2")
    })
  )

  it.live("stops a pattern that takes too long, and says so in words", () =>
    Effect.gen(function* () {
      const { run, uri } = project(`${"a".repeat(40)}b\n`)
      const pattern = { id: "1", kind: "searchAndReplace", uri, search: "(a+)+$", replace: "n", isRegex: true }
      const { code, stdout } = yield* run(["a.ts", "--line", "1", "--column", "1"], { answers: [[pattern]] })
      assert.strictEqual(code, 0)
      assert.strictEqual(
        stdout,
        '# Replace the pattern "(a+)+$" by "n" in a.ts. The regular expression was stopped, since it ran too long\n'
      )
    })
  )

  it.live("ends with 4 where a search finds nothing to replace", () =>
    Effect.gen(function* () {
      const { run, uri } = project("one\n")
      const search = { kind: "searchAndReplace", id: "all", uri, search: "^two$", replace: "2" }
      for (const isRegex of [false, true]) {
        const nowhere = yield* run(["a.ts", "--line", "1", "--column", "1"], { answers: [[{ ...search, isRegex }]] })
        const words =
          "A suggestion (searchAndReplace) was left out: it changes nothing.\nSuggester suggests nothing here.\n"
        assert.deepStrictEqual([nowhere.code, nowhere.stdout, nowhere.stderr], [4, "", words])
      }
    })
  )

  it.live("ends with 4 where nothing is suggested, and says what was left out and why", () =>
    Effect.gen(function* () {
      const { run, said, uri } = project("one\n")
      const silent = yield* run(["a.ts", "--line", "1", "--column", "1"], {})
      assert.deepStrictEqual([silent.code, silent.stdout, silent.stderr], [4, "", "Suggester suggests nothing here.\n"])
      const answers = [
        [
          edit(uri, at(7, 0), "x"),
          {
            ...edit(uri, at(0, 0, 1), "x"),
            id: "two",
            edits: [
              { range: at(0, 0, 2), newText: "" },
              { range: at(0, 1, 3), newText: "" }
            ]
          },
          { ...edit("file:///etc/passwd", at(0, 0), "x"), id: "three" }
        ]
      ]
      const { code, stdout } = yield* run(["a.ts", "--line", "1", "--column", "1", "--json"], { answers })
      assert.strictEqual(code, 4)
      const report = JSON.parse(stdout)
      assert.deepStrictEqual(report.suggestions, [])
      assert.deepStrictEqual(
        report.dropped.map(({ id, why }: { id: string; why: string }) => [id, why.split(":")[0]]),
        [
          ["one", "has edits behind the end of the file"],
          ["two", "has edits that overlap"],
          ["three", "is about a file that is left alone"]
        ]
      )
      assert.isNumber(report.latencyMs)
      assert.deepStrictEqual(report.agent, { name: "Suggester", version: "1.2.3" })
      assert.deepStrictEqual(
        said("nes/reject").map(({ params }) => [params?.["id"], params?.["reason"]]),
        ["one", "two", "three"].map((id) => [id, undefined])
      )
    })
  )

  it.live("sends no file that is on the list, or that git ignores", () =>
    Effect.gen(function* () {
      const secret = project("KEY=1\n", ".env.local")
      const { code, stderr } = yield* secret.run([".env.local", "--line", "1", "--column", "1"], {})
      assert.strictEqual(code, 1)
      assert.include(stderr, "It is on the list of files that are never sent (.env*).")
      assert.deepStrictEqual(secret.heard(), [])

      const ignored = project("x\n", "built.ts")
      execFileSync("git", ["init", "-q"], { cwd: ignored.folder })
      writeFileSync(join(ignored.folder, ".gitignore"), "built.*\n")
      const other = yield* ignored.run(["built.ts", "--line", "1", "--column", "1"], {})
      assert.strictEqual(other.code, 1)
      assert.include(other.stderr, "Git ignores it.")
      assert.deepStrictEqual(ignored.heard(), [])
    })
  )

  it.live("takes the agent and the list from the settings, and sends nothing where nobody can read these", () =>
    Effect.gen(function* () {
      const { file, folder, log, said } = project("x\n")
      const state = realpathSync(temporaryFolder("state"))
      mkdirSync(state, { recursive: true })
      const [command = "", ...args] = agent.split(" ")
      const settings = (suggestions: unknown) =>
        writeFileSync(
          join(state, "settings.json"),
          JSON.stringify({ agents: { mine: { command, args } }, suggestions }),
          {
            mode: 0o600
          }
        )
      const run = call(["nes", "try", file, "--line", "1", "--column", "1"], {
        cwd: folder,
        env: { SIGNALBOX_STATE_DIR: state, SUGGESTER: JSON.stringify({ log }) }
      })
      const nobody = yield* run
      assert.strictEqual(nobody.code, 2)
      assert.include(nobody.stderr, "--agent")
      settings({ provider: "mine" })
      assert.strictEqual((yield* run).code, 4)
      assert.lengthOf(said("document/didOpen"), 1)
      settings({ provider: "mine", neverSend: ["*.ts"] })
      assert.include((yield* run).stderr, "(*.ts)")
      settings({ provider: 5 })
      const faulty = yield* run
      assert.strictEqual(faulty.code, 1)
      assert.include(faulty.stderr, "provider")
      assert.notInclude(faulty.stderr, "--agent")
      settings({ provider: "mine", neverSend: "all" })
      const wrong = yield* call(["nes", "try", file, "--line", "1", "--column", "1", "--provider", "mine"], {
        cwd: folder,
        env: { SIGNALBOX_STATE_DIR: state, SUGGESTER: JSON.stringify({ log }) }
      })
      assert.strictEqual(wrong.code, 1)
      assert.include(wrong.stderr, "The settings can't be understood where they say what is never sent.")
      assert.lengthOf(said("document/didOpen"), 1)
    })
  )

  it.live("fails in plain words where the agent can't do it", () =>
    Effect.gen(function* () {
      const { run } = project("x\n")
      const one = ["a.ts", "--line", "1", "--column", "1"]
      const failing = (setup: Setup) => Effect.map(run(one, setup), ({ code, stderr }) => [code, stderr] as const)
      const [noneCode, none] = yield* failing({ capabilities: {} })
      assert.deepStrictEqual([noneCode, none.split("\n")[0]], [1, "error: Suggester makes no suggestions."])
      const unknown = { code: -32601, message: "Method not found" }
      const [claimCode, claim] = yield* failing({ errors: { "nes/start": unknown } })
      assert.strictEqual(claimCode, 1)
      assert.include(claim, "It offers next edit suggestions, but answers nes/start as a method that it does not know.")
      const [loginCode, login] = yield* failing({ errors: { "nes/start": { code: -32000, message: "Sign in first" } } })
      assert.deepStrictEqual([loginCode, login.split("\n")[0]], [1, "error: Suggester wants you to sign in."])
      const [encodingCode, encoding] = yield* failing({ capabilities: { nes: {}, positionEncoding: "latin-1" } })
      assert.strictEqual(encodingCode, 1)
      assert.strictEqual(
        encoding,
        [
          "error: Suggester answered in a way that we do not understand.",
          '  Its answer to initialize breaks the protocol: positionEncoding: "latin-1" was not offered',
          "  Next: Run signalbox conformance, and report what it says to the makers of the agent",
          ""
        ].join("\n")
      )
      const [listCode, list] = yield* failing({ answers: [null] })
      assert.strictEqual(listCode, 1)
      assert.include(list, "Its answer to nes/suggest breaks the protocol: It has no list of suggestions\n")
      const [deadCode, dead] = yield* failing({ dies: "nes/suggest" })
      assert.strictEqual(deadCode, 1)
      assert.include(dead, "Suggester")
      assert.include(dead, "3")
    })
  )

  it.live("does not start an agent that a rule denies", () =>
    Effect.gen(function* () {
      const { folder, heard, log } = project("x\n")
      const state = realpathSync(temporaryFolder("state"))
      writeFileSync(
        join(state, "rules.json"),
        JSON.stringify({ rules: [{ effect: "deny", match: { kind: "start" } }] }),
        { mode: 0o600 }
      )
      const { code, stderr } = yield* call(["nes", "try", "a.ts", "--line", "1", "--column", "1", "--agent", agent], {
        cwd: folder,
        env: { SIGNALBOX_STATE_DIR: state, SUGGESTER: JSON.stringify({ log }) }
      })
      assert.strictEqual(code, 1, stderr)
      assert.include(stderr, "was not started.")
      assert.deepStrictEqual(heard(), [])
    })
  )

  it.live("refuses a cursor and a file that are not there", () =>
    Effect.gen(function* () {
      const { folder, run } = project("one\ntwo\n")
      for (const [args, words] of [
        [["a.ts", "--line", "0", "--column", "1"], "count from 1"],
        [["a.ts", "--line", "9", "--column", "1"], "has 3 lines"],
        [["b.ts", "--line", "1", "--column", "1"], "does not exist"],
        [[".", "--line", "1", "--column", "1"], "is a folder"],
        [["a.ts", "--line", "1"], "column"]
      ] as const) {
        const { code, stderr, stdout } = yield* run(args, {})
        assert.strictEqual(code, 2, stderr)
        assert.include(`${stderr}${stdout}`, words)
      }
      writeFileSync(join(folder, "picture"), Buffer.from([0, 1, 2, 255]))
      const binary = yield* run(["picture", "--line", "1", "--column", "1"], {})
      assert.strictEqual(binary.code, 1)
      assert.include(binary.stderr, "It is no text")
      writeFileSync(join(folder, "long.txt"), "x".repeat(3 * 1024 * 1024))
      const long = yield* run(["long.txt", "--line", "1", "--column", "1"], {})
      assert.strictEqual(long.code, 1)
      assert.include(long.stderr, "It is longer than 2 MiB.")
    })
  )

  it.live.skipIf(!OrdinaryUser.exists)("says of a file that this user may not read why, and what to do", () =>
    Effect.gen(function* () {
      const { file, folder, heard, log } = project("one\n")
      const deep = join(folder, "folder")
      mkdirSync(deep)
      writeFileSync(join(deep, "b.ts"), "two\n")
      for (const path of [file, deep]) chmodSync(path, 0o000)
      chmodSync(folder, 0o755)
      for (const path of [file, join(deep, "b.ts")]) {
        const ended = yield* call(["nes", "try", path, "--line", "1", "--column", "1", "--agent", agent], {
          cwd: "/",
          env: { SUGGESTER: JSON.stringify({ log }) },
          within: OrdinaryUser.within
        })
        assert.deepStrictEqual(ended, {
          code: 1,
          signal: null,
          stdout: "",
          stderr: [
            "error: The file can't be read.",
            "  This user may not read it.",
            `  Path: ${path}`,
            "  Next: Let this user read the file and its folders",
            ""
          ].join("\n")
        })
      }
      chmodSync(deep, 0o755)
      assert.deepStrictEqual(heard(), [])
    })
  )

  it.live("is stopped by Ctrl-C while the agent thinks, cancels the request, and leaves no agent behind", () =>
    Effect.gen(function* () {
      const { file, folder, heard, log, said } = project("x\n")
      const running = yield* start(["nes", "try", file, "--line", "1", "--column", "1", "--agent", agent], {
        cwd: folder,
        env: { SUGGESTER: JSON.stringify({ log, silent: ["nes/suggest"] }) }
      })
      yield* Effect.sync(() => said("nes/suggest").length).pipe(
        Effect.repeat({ until: (count) => count > 0, schedule: Schedule.spaced("20 millis") }),
        Effect.raceFirst(Effect.flatMap(running.ended, (early) => Effect.die(early)))
      )
      running.kill("SIGINT")
      const { code } = yield* running.ended
      assert.strictEqual(code, 3)
      assert.lengthOf(said("$/cancel_request"), 1)
      yield* groupEnds(heard()[0]?.pid ?? 0)
    }).pipe(Effect.scoped)
  )
})
