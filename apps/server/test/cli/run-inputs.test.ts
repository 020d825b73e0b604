/** What a run is given besides its words: variables, images, files, and what was chosen earlier. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assertReadable, play, simulated } from "./support/Runs.ts"
import { call, scriptedAgent, start, temporaryFolder } from "./support/Signalbox.ts"
import { reachable } from "./support/Conversation.ts"
import * as Keeper from "../support/Keeper.ts"

const setup = (initialize: object, others: object = {}) =>
  `SCRIPTED_AGENT=${JSON.stringify({ initialize: { agentCapabilities: initialize }, ...others })}`

const promptIn = (log: string): ReadonlyArray<unknown> => {
  const messages = readFileSync(log, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).message)
  return messages.find(({ method }) => method === "session/prompt").params.prompt
}

describe("--env", () => {
  it.live("gives the agent variables, the last of a name, over those of the settings", () =>
    Effect.gen(function* () {
      const state = temporaryFolder("state")
      const agent = {
        command: program,
        args: [script],
        env: { SCRIPTED_AGENT: JSON.stringify({ prompts: [[{ text: "settings" }]] }) }
      }
      writeFileSync(join(state, "settings.json"), JSON.stringify({ agents: { mine: agent } }), { mode: 0o600 })
      const given = (text: string) => ["--env", `SCRIPTED_AGENT=${JSON.stringify({ prompts: [[{ text }]] })}`]
      const env = { SIGNALBOX_STATE_DIR: state }
      const [plain, over] = yield* Effect.forEach([[], [...given("first"), ...given("a=b")]], (flags) =>
        call(["run", "--provider", "mine", ...flags, "hello"], { env })
      )
      assert.deepStrictEqual([plain?.stdout, over?.stdout], ["settings\n", "a=b\n"])
      // The way back names the variable and not its value.
      assert.include(
        over?.stderr,
        `--provider mine --env SCRIPTED_AGENT=… --resume`.replace("SCRIPTED_AGENT=…", "'SCRIPTED_AGENT=…'")
      )
      assert.notInclude(over?.stderr, "a=b")
    })
  )

  it.live("reaches a Cursor, too, and the agents of sessions, login and conformance", () =>
    Effect.gen(function* () {
      const cursor = yield* call(simulated("hello", "--env", "FAKE_CURSOR_AUTH=none"))
      assert.strictEqual(cursor.code, 5, cursor.stderr)
      const keeper = yield* Keeper.make(
        { offers: { session: { list: {} } }, authMethods: [{ id: "web", name: "Web" }] },
        [{ sessionId: "session-a", cwd: "/one" }]
      )
      const state = temporaryFolder("state")
      const agent = { command: process.execPath, args: [Keeper.program] }
      writeFileSync(join(state, "settings.json"), JSON.stringify({ agents: { keeper: agent } }), { mode: 0o600 })
      const variables = Object.entries(keeper.env).flatMap(([name, value]) => ["--env", `${name}=${value}`])
      const on = (...words: ReadonlyArray<string>) =>
        call([...words, "--provider", "keeper", "--state-dir", state, ...variables])
      const listed = yield* on("sessions", "list")
      assert.include(listed.stdout, "session-a", listed.stderr)
      const signedIn = yield* on("login")
      assert.strictEqual(signedIn.code, 0, signedIn.stderr)
      assert.isTrue(keeper.state().signedIn)
      // It can't be started, for the reason that the variable holds.
      const refusal = setup({}, { initializeError: { code: -32603, message: "Told by a variable" } })
      const looked = yield* call(["conformance", "--agent", scriptedAgent, "--env", refusal])
      assert.deepStrictEqual([looked.code, /Told by a variable/.test(looked.stderr)], [1, true], looked.stderr)
    }).pipe(Effect.scoped)
  )

  it.live("without a name is refused, and nothing of what may be a secret is shown", () =>
    Effect.gen(function* () {
      const commands = [
        ["run", "hello"],
        ["login"],
        ["conformance"],
        ["sessions", "list"],
        ["sessions", "delete", "some-session"]
      ]
      for (const words of commands)
        for (const text of words.length === 1 ? ["hunter2-hunter2"] : ["=hunter2-hunter2"]) {
          const told = yield* call([...words, "--provider", "eliza", "--env", "A=b", "--env", text])
          assert.strictEqual(told.code, 2, told.stderr)
          assert.include(told.stderr, "--env takes NAME=VALUE, and number 2 of 2 has no name before a =.")
          assert.notInclude(told.stderr, "hunter2")
        }
      const elsewhere = temporaryFolder("state")
      const settings = JSON.stringify({ agents: { far: { url: "http://127.0.0.1:1/acp" } } })
      writeFileSync(join(elsewhere, "settings.json"), settings, { mode: 0o600 })
      const far = yield* call(["run", "--provider", "far", "--env", "A=b", "hello"], {
        env: { SIGNALBOX_STATE_DIR: elsewhere }
      })
      assert.deepStrictEqual([far.code, /runs elsewhere/.test(far.stderr)], [2, true], far.stderr)
    })
  )

  it.live("keeps secrets among its values from the tape and from what is shown", () =>
    Effect.gen(function* () {
      const tape = join(temporaryFolder("tape"), "tape.ndjson")
      const secret = "correct-horse-battery"
      const steps = [{ stderr: `the key is ${secret}` }, { crash: 3 }]
      const told = yield* call([
        "run",
        "--agent",
        scriptedAgent,
        "--tape",
        tape,
        "--env",
        `MY_API_KEY=${secret}`,
        JSON.stringify(steps)
      ])
      assert.strictEqual(told.code, 1)
      assert.include(told.stderr, "the key is")
      assert.notInclude(told.stderr, secret)
      assert.notInclude(readFileSync(tape, "utf8"), secret)
    })
  )
})

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

describe("--image and --file", () => {
  const folder = temporaryFolder("attached")
  const write = (name: string, content: string | Buffer): string => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const image = write("photo.txt", png)
  const text = write("a b.md", "# Words\n")
  const binary = write("data.bin", Buffer.from([0xff, 0, 1]))
  const link = (name: string) => ({
    type: "resource_link",
    uri: `file://${folder}/${name}`,
    name: name.replace("%20", " ")
  })

  const sent = Effect.fnUntraced(function* (promptCapabilities: object, ...flags: ReadonlyArray<string>) {
    const log = join(temporaryFolder("log"), "log.ndjson")
    const env = ["--env", setup({ promptCapabilities }), "--env", `SCRIPTED_AGENT_LOG=${log}`]
    const told = yield* call(play([{ text: "fine" }], ...env, ...flags))
    assert.strictEqual(told.code, 0, told.stderr)
    return { told, parts: promptIn(log).slice(1) }
  })

  it.live("go along with the prompt: an image by its content, a text, and a link to what is neither", () =>
    Effect.gen(function* () {
      const { parts, told } = yield* sent(
        { image: true, embeddedContext: true },
        "--image",
        image,
        "--file",
        text,
        "--file",
        binary
      )
      assert.deepStrictEqual(parts, [
        { type: "image", mimeType: "image/png", data: png.toString("base64") },
        { type: "resource", resource: { uri: `file://${folder}/a%20b.md`, text: "# Words\n" } },
        link("data.bin")
      ])
      assert.notInclude(told.stderr, "takes no")
    })
  )

  it.live("become what the agent takes, and the run says so", () =>
    Effect.gen(function* () {
      const { parts, told } = yield* sent({}, "--image", image, "--file", text)
      assert.deepStrictEqual(parts, [link("a%20b.md")])
      assert.match(told.stderr, /takes no images: one was left out/)
      assert.match(told.stderr, /takes no embedded files: it was given a link to one/)
    })
  )

  it.live("a file that is too large goes as a link, an image that is too large is refused", () =>
    Effect.gen(function* () {
      const large = write("large.png", png)
      truncateSync(large, 5_000_001)
      const { parts } = yield* sent({ embeddedContext: true }, "--file", large)
      assert.deepStrictEqual(parts, [link("large.png")])
      // The system reports its length as 0.
      const unmeasured = yield* sent({ embeddedContext: true }, "--file", "/proc/version")
      const resource = { uri: "file:///proc/version", text: readFileSync("/proc/version", "utf8") }
      assert.deepStrictEqual(unmeasured.parts, [{ type: "resource", resource }])
      const pipe = join(folder, "pipe")
      spawnSync("mkfifo", [pipe])
      mkdirSync(join(folder, "folder"), { recursive: true })
      const most = write("most.png", png)
      truncateSync(most, 4_900_000)
      const cases: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
        [/large\.png has 4\.8 MiB; up to 4\.8 MiB can go along/, ["--image", large]],
        [/nothing\.png does not exist/, ["--image", join(folder, "nothing.png")]],
        [/nothing\.md does not exist/, ["--file", join(folder, "nothing.md")]],
        [/a b\.md is no PNG, JPEG, GIF or WebP image/, ["--image", text]],
        [/folder is no file/, ["--file", join(folder, "folder")]],
        [/pipe is no file/, ["--image", pipe]],
        [/have 14 MiB together/, ["--image", most, "--image", most, "--image", most]]
      ]
      for (const [words, flags] of cases) {
        const told = yield* call(play([], ...flags))
        assert.deepStrictEqual([told.code, words.test(told.stderr)], [2, true], told.stderr)
        assertReadable(told)
      }
    })
  )
})

const [program = "", script] = scriptedAgent.split(" ")
const choices = [
  { value: "ask", name: "Ask" },
  { value: "plan", name: "Plan" }
]
const configOptions = [
  { type: "select", id: "mode", name: "Mode", category: "mode", currentValue: "ask", options: choices },
  { type: "boolean", id: "fast", name: "Fast mode", currentValue: false }
]
const chooser = {
  command: program,
  args: [script],
  env: { SCRIPTED_AGENT: JSON.stringify({ newSession: { configOptions } }) }
}

describe("--remember", () => {
  const begun = Effect.gen(function* () {
    const state = temporaryFolder("state")
    const cwd = temporaryFolder("project")
    const env = { SIGNALBOX_STATE_DIR: state }
    writeFileSync(join(state, "settings.json"), JSON.stringify({ agents: { chooser } }), { mode: 0o600 })
    const server = yield* start(["serve", "--port", "0"], { env })
    yield* reachable(server)
    const run = (...flags: ReadonlyArray<string>) =>
      call(["run", "--provider", "chooser", "--cwd", cwd, ...flags], { env })
    const kept = Effect.map(call(["settings", "list", "--json"], { env }), ({ stdout }) =>
      stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))
    )
    return { run, kept, cwd }
  })

  it.live("notes what a run chose, and begins the next with it; without it nothing is read or noted", () =>
    Effect.gen(function* () {
      const { cwd, kept, run } = yield* begun
      const silent = yield* run("--mode", "plan", "Hello")
      assert.strictEqual(silent.code, 0, silent.stderr)
      assert.deepStrictEqual(yield* kept, [])
      const first = yield* run("--remember", "--mode", "plan", "--set", "fast=true", "Hello")
      assert.strictEqual(first.code, 0, first.stderr)
      const rows = (yield* kept).map(({ cwd: folder, providerId, settingId, value }) => [
        providerId,
        folder,
        settingId,
        value
      ])
      assert.deepStrictEqual(rows, [
        ["chooser", cwd, "fast", true],
        ["chooser", cwd, "mode", "plan"]
      ])
      const next = yield* run("--remember", "--list-settings")
      assert.match(next.stdout, /mode +\* +plan/)
      assert.include(next.stderr, "As chosen last in this folder: fast “true”, mode “plan”")
      assert.notMatch((yield* run("--list-settings")).stdout, /mode +\* +plan/)
      const other = yield* run("--remember", "--set", "fast=false", "--json", "Hello")
      assert.strictEqual(other.code, 0, other.stderr)
      assert.deepStrictEqual(
        (yield* kept).map(({ value }) => value),
        [false, "plan"]
      )
      assert.strictEqual((yield* run("--remember", "--mode", "no-such-mode", "Hello")).code, 2)
      assert.deepStrictEqual(
        (yield* kept).map(({ value }) => value),
        [false, "plan"]
      )
    }).pipe(Effect.scoped)
  )

  it.live("says so where no server runs, or the agent has no name", () =>
    Effect.gen(function* () {
      const nobody = yield* call(["run", "--provider", "eliza", "--remember", "Hello"])
      assert.strictEqual(nobody.code, 1)
      assert.match(nobody.stderr, /No Signalbox server is running\.[\s\S]*signalbox serve[\s\S]*leave --remember out/)
      const nameless = yield* call(play([], "--remember"))
      assert.deepStrictEqual([nameless.code, nameless.stdout], [2, ""])
      assert.include(nameless.stderr, "--remember goes by the name of an agent")
    })
  )
})
