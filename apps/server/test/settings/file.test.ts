/** `settings.json`: its valid content and its faults are read, and it is never lost. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import type { AgentSettings } from "@signalbox/contracts/Settings"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { scan } from "../../src/settings/JsonPlaces.ts"
import { layer, SettingsFile } from "../../src/settings/SettingsFile.ts"
import * as SettingsText from "../../src/settings/SettingsText.ts"
import { temporaryFolder } from "../provider/drivers/support/Programs.ts"

const read = (text: string) => SettingsText.read("/state/settings.json", text)

/** The problems in a text. */
const told = (text: string) =>
  Result.match(read(text), {
    onFailure: (problem) => [problem.cause],
    onSuccess: ({ faults }) => faults.map(({ problem }) => problem.cause)
  })

const agents = (text: string) => Result.getOrThrow(read(text)).settings.agents

const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe("the text of the settings", () => {
  it("an agent is a command or a URL, with what it may do", () => {
    const mine: AgentSettings = {
      command: "my-agent",
      args: ["--acp"],
      env: { KEY: "secret" },
      cwd: "project",
      auth: { methodId: "api-key", env: ["KEY"] },
      permissions: "read-only",
      files: "read",
      terminals: true,
      protocol: 2,
      name: "Mine"
    }
    assert.deepEqual(agents(JSON.stringify({ agents: { mine, far: { url: "wss://far.example/acp" } } })), {
      mine,
      far: { url: "wss://far.example/acp" }
    })
  })

  it("nothing is the same as no settings", () => {
    for (const text of ["", " \n", "{}", '\uFEFF{ "agents": {} }'])
      assert.deepEqual(read(text), Result.succeed({ settings: SettingsText.noSettings, faults: [] }))
  })

  it.each([
    ['{\n  "agents": {\n', "Line 3, column 1: expected a name in double quotes."],
    ['{\n  "agents": {},\n}', "Line 3, column 1: expected a name in double quotes."],
    ['{\n  // mine\n  "agents": {}\n}', "Line 2, column 3: expected a name in double quotes."],
    ['{ "agents": { "a": { "command": "x }\n', "Line 1, column 33: expected a value."],
    ['{ "agents": {} "projects": {} }', "Line 1, column 16: expected a comma or }."],
    ['{ "agents": {} }\nand so on', "Line 2, column 1: expected nothing more."],
    ['{\n "agents": {},\n "agents": {} }', 'Line 3, column 2: expected only one "agents".'],
    ["[]", "It has to be an object, in braces."]
  ])("says where %j can't be read", (text, cause) => assert.deepEqual(told(text), [cause]))

  it("a name that is never sent is one that can be found in a path", () => {
    const faultsFor = (name: string) =>
      Result.getOrThrow(read(JSON.stringify({ suggestions: { neverSend: [name] } }))).faults
    for (const name of ["*.key", "private/*.json", "**/private", "key?", "[id].ts", "~notes"])
      assert.deepEqual(faultsFor(name), [], name)
    for (const name of ["", " ", "/home/one/private", "~/private", "!kept", "*.{key,pem}", "a\nb", "x".repeat(201)])
      assert.lengthOf(faultsFor(name), 1, name)
  })

  it("gives up what is nested without end, and what is endless", () => {
    assert.deepEqual(told(`{"a":${"[".repeat(100_000)}`), ["Line 1, column 70: expected less depth."])
    assert.deepEqual(told(`{"a":"${"x".repeat(2_000_000)}"}`), ["/state/settings.json is longer than a megabyte."])
  })

  it("one entry that is wrong does not take the others with it, and each mistake is reported with its line", () => {
    const text = `{
  "agents": {
    "good": { "command": "good" },
    "bad": {
      "comand": "s3cret",
      "args": ["a", 7],
      "permissions": "all"
    },
    "Two Words": { "command": "x" },
    "both": { "command": "x", "url": "http://x" },
    "none": {}, "cursor": { "command": "x" }
  },
  "mcpServers": { "files": { "command": "mcp", "args": "s3cret" }, "far": { "type": "http" } },
  "projects": { "here": {} },
  "agent": {}
}`
    const { faults, settings } = Result.getOrThrow(read(text))
    assert.deepEqual(Object.keys(settings.agents), ["good"])
    assert.deepEqual(
      faults.map(({ entry, problem }) => [entry.join(" "), ...problem.cause.split("\n")]),
      [
        [
          "agents bad",
          "Line 5, agents.bad.comand: This is not known here.",
          "Line 6, agents.bad.args[1]: Expected string.",
          'Line 7, agents.bad.permissions: Expected "ask" | "allow-reads" | "read-only" | "edits" | "bypass".'
        ],
        ["agents Two Words", 'Line 9, agents["Two Words"]: Expected a name of small letters, digits and hyphens.'],
        ["agents both", "Line 10, agents.both: Expected one of command, url and providerOptions."],
        ["agents none", "Line 11, agents.none: Expected one of command, url and providerOptions."],
        ["agents cursor", "Line 11, agents.cursor: This is the name of another agent."],
        ["mcpServers files", "Line 13, mcpServers.files.args: Expected array."],
        ["mcpServers far", "Line 13, mcpServers.far.url: This is missing."],
        ["projects here", "Line 14, projects.here: Expected an absolute path."],
        ["agent", "Line 15, agent: This is not known here."]
      ]
    )
    assert.notInclude(JSON.stringify(faults), "s3cret")
  })

  it.prop(
    "finds fault where JSON.parse does, and nowhere else",
    {
      value: Schema.Json,
      at: Schema.Int,
      dirt: Schema.Literals(['"', "\\", ",", ":", "{", "]", "-", "0", "1e5", "\n", "\u00a0", "nul"])
    },
    ({ at, dirt, value }) => {
      const json = JSON.stringify(value, null, 1)
      const place = Math.abs(at) % (json.length + 1)
      for (const text of [json, json.slice(0, place) + dirt + json.slice(place), json.slice(0, place)]) {
        const { fault } = scan(text)
        // A name that is there twice is found first, whatever is wrong behind it.
        if (fault?.expected.startsWith("only one") && text !== json) continue
        assert.strictEqual(fault === undefined, parses(text), text)
      }
    },
    { arbitrary: { runs: 500 } }
  )

  it("a change leaves everything else as it is, what we do not know and what is wrong too", () => {
    const text = '{ "future": [1], "agents": { "b": { "comand": "x" }, "a": { "command": "a" } } }'
    const changed = (name: string, entry: unknown) =>
      JSON.parse(Result.getOrThrow(SettingsText.change("f", text, SettingsText.withEntry("agents", name, entry))))
    assert.deepEqual(changed("a", undefined), { future: [1], agents: { b: { comand: "x" } } })
    assert.deepEqual(changed("c", { command: "c" }), {
      future: [1],
      agents: { b: { comand: "x" }, a: { command: "a" }, c: { command: "c" } }
    })
  })
})

const on = (folder: string, watch = false) => Layer.provide(layer({ folder, watch }), NodeServices.layer)

describe("the file of the settings", () => {
  it.live("is made by the first entry, for its owner's eyes only, and holds what was put", () => {
    const folder = join(temporaryFolder(), "not", "yet")
    return Effect.gen(function* () {
      const settings = yield* SettingsFile
      assert.deepEqual((yield* settings.read).faults, [])
      yield* settings.put("agents", "mine", { command: "my-agent" })
      assert.deepEqual((yield* settings.read).settings.agents, { mine: { command: "my-agent" } })
      assert.strictEqual(statSync(settings.path).mode & 0o777, 0o600)
      assert.deepEqual(readdirSync(folder), ["settings.json", "settings.lock"])
      yield* settings.put("agents", "mine", undefined)
      assert.deepEqual((yield* settings.read).settings.agents, {})
    }).pipe(Effect.provide(on(folder)))
  })

  it.live("that can't be read leaves in force what was, and is never written over", () => {
    const folder = temporaryFolder()
    const file = join(folder, "settings.json")
    writeFileSync(file, '{ "agents": { "mine": { "command": "my-agent" } } }')
    return Effect.gen(function* () {
      const settings = yield* SettingsFile
      const broken = '{ "agents": { "mine": { "command": "my-agent" }, } }'
      writeFileSync(file, broken)
      const { faults, settings: kept } = yield* settings.read
      assert.deepEqual(Object.keys(kept.agents), ["mine"])
      assert.strictEqual(faults[0]?.problem.cause, "Line 1, column 50: expected a name in double quotes.")
      assert.strictEqual(faults[0]?.problem.evidence.path, file)
      const refused = yield* Effect.flip(settings.put("agents", "other", { command: "x" }))
      assert.strictEqual(refused.problem.code, "config-invalid")
      assert.strictEqual(readFileSync(file, "utf8"), broken)
    }).pipe(Effect.provide(on(folder)))
  })

  it.live("is written through a link, and the link stays", () => {
    const folder = temporaryFolder()
    const elsewhere = join(temporaryFolder(), "dotfiles.json")
    writeFileSync(elsewhere, "{}")
    symlinkSync(elsewhere, join(folder, "settings.json"))
    return Effect.gen(function* () {
      yield* (yield* SettingsFile).put("agents", "mine", { command: "x" })
      assert.include(readFileSync(elsewhere, "utf8"), "mine")
    }).pipe(Effect.provide(on(folder)))
  })

  it.live.skipIf(process.getuid?.() === 0)("that may not be read or written is told so (root may all)", () => {
    const folder = temporaryFolder()
    const file = join(folder, "settings.json")
    writeFileSync(file, "{}")
    chmodSync(file, 0)
    return Effect.gen(function* () {
      const settings = yield* SettingsFile
      assert.include((yield* settings.read).faults[0]?.problem.cause, "permission")
      assert.strictEqual((yield* Effect.flip(settings.put("agents", "a", {}))).problem.evidence.path, file)
    }).pipe(Effect.provide(on(folder)))
  })

  it.live("that can't be made is reported, and nothing is left lying", () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, "settings.json"))
    return Effect.gen(function* () {
      const settings = yield* SettingsFile
      assert.strictEqual((yield* settings.read).faults.length, 1)
      yield* Effect.flip(settings.put("agents", "a", {}))
      assert.deepEqual(readdirSync(folder), ["settings.json", "settings.lock"])
    }).pipe(Effect.provide(on(folder)))
  })

  it.live("that others can write to is not in force, nor written over; what was in force stays", () => {
    const folder = temporaryFolder()
    const file = join(folder, "settings.json")
    writeFileSync(file, '{ "agents": { "mine": { "command": "x" } } }')
    return Effect.gen(function* () {
      const settings = yield* SettingsFile
      assert.deepEqual((yield* settings.read).faults, [])
      const planted = '{ "agents": { "mine": { "command": "evil" } } }'
      writeFileSync(file, planted)
      chmodSync(file, 0o666)
      const reading = yield* settings.read
      assert.strictEqual(reading.settings.agents["mine"]?.command, "x")
      assert.strictEqual(reading.faults[0]?.problem.nextSteps[0]?.command, `chmod o-w '${file}'`)
      yield* Effect.flip(settings.put("agents", "other", { command: "y" }))
      assert.strictEqual(readFileSync(file, "utf8"), planted)
      chmodSync(file, 0o660)
      assert.strictEqual((yield* settings.read).settings.agents["mine"]?.command, "evil")
    }).pipe(Effect.provide(on(folder)))
  })

  it.live("changes are reported as they come, whether it is written or replaced", () => {
    const folder = temporaryFolder()
    const file = join(folder, "settings.json")
    const commands = Stream.map(
      Stream.unwrap(Effect.map(SettingsFile, ({ changes }) => changes)),
      ({ faults, settings }) => `${Object.keys(settings.agents).join()} ${faults.length}`
    )
    const untilIs = (wanted: string) => Stream.runHead(Stream.filter(commands, (now) => now === wanted))
    return Effect.gen(function* () {
      yield* untilIs(" 0")
      writeFileSync(file, '{ "agents": { "one": { "command": "x" } } }')
      yield* untilIs("one 0")
      writeFileSync(`${file}~`, '{ "agents": { "two": { "command": "x" }, "Bad": {} } }')
      renameSync(`${file}~`, file)
      yield* untilIs("two 1")
      writeFileSync(file, "{")
      yield* untilIs("two 1")
      writeFileSync(file, "{}")
      yield* untilIs(" 0")
    }).pipe(Effect.provide(on(folder, true)))
  })
})
