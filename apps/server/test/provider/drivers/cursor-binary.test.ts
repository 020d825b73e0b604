import type { CursorOptions } from "@signalbox/contracts/Provider"
import { ThreadId } from "@signalbox/contracts/Ids"
import { ProviderId } from "@signalbox/contracts/Provider"
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { mkdirSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import * as CursorBinary from "../../../src/provider/drivers/cursor/CursorBinary.ts"
import * as CursorLogin from "../../../src/provider/drivers/cursor/CursorLogin.ts"
import * as CursorProfile from "../../../src/provider/drivers/cursor/CursorProfile.ts"
import * as BinaryErrors from "../../../src/provider/drivers/cursor/BinaryErrors.ts"
import * as Probe from "../../../src/provider/drivers/Probe.ts"
import {
  emulator,
  emulatorEnvironment,
  emulatorFolder,
  fakeCursor,
  machine,
  script,
  systemFolders,
  temporaryFolder
} from "./support/Programs.ts"

const find = (env: Readonly<Record<string, string | undefined>>, options: CursorOptions = {}) =>
  CursorBinary.find(options).pipe(Effect.provide(machine(env)))

const failure = (env: Readonly<Record<string, string | undefined>>, options: CursorOptions = {}) =>
  Effect.map(Effect.flip(find(env, options)), ({ problem }) => problem)

const grok = (folder: string) => script(folder, "agent", 'echo "grok-cli 1.2.3"')
const version = "2026.10.01-e373342"

describe("CursorBinary.find", () => {
  it.live("prefers cursor-agent, and falls back to agent", () =>
    Effect.gen(function* () {
      const [first, second] = [temporaryFolder(), temporaryFolder()]
      const agent = fakeCursor(first, "agent", version)
      const path = `${first}:${second}:${systemFolders}`
      assert.strictEqual((yield* find({ PATH: path })).path, agent)
      const preferred = fakeCursor(second, "cursor-agent", "2026.08.11-e8db854")
      const found = yield* find({ PATH: path })
      assert.strictEqual(found.path, preferred)
      assert.strictEqual(found.version.text, "2026.08.11-e8db854")
    })
  )

  it.live("finds the emulator of every generation, through a symbolic link too", () =>
    Effect.gen(function* () {
      const links = temporaryFolder()
      symlinkSync(emulator, join(links, "agent"))
      for (const [generation, expected] of [
        ["2026.02", "2026.02.27-e7d2ef6"],
        ["2026.08", "2026.08.11-e8db854"],
        ["2026.10", "2026.10.01-e373342"]
      ] as const) {
        const env = emulatorEnvironment({ FAKE_CURSOR_GEN: generation, PATH: `${links}:${systemFolders}` })
        const found = yield* find(env)
        assert.strictEqual(found.path, join(links, "agent"))
        assert.strictEqual(found.version.text, expected)
      }
    })
  )

  it.live("says where it looked and how to install, when there is nothing", () =>
    Effect.gen(function* () {
      const empty = temporaryFolder()
      const problem = yield* failure({ PATH: `${empty}:relative/bin::${empty}` })
      assert.strictEqual(problem.code, "agent-not-found")
      assert.strictEqual(problem.cause, `Neither cursor-agent nor agent is in the one folder of PATH, ${empty}.`)
      assert.strictEqual(problem.nextSteps[0]?.command, "curl https://cursor.com/install -fsS | bash")
      assert.include((yield* failure({})).cause, "names no folder")
    })
  )

  it.live("does not take another program named agent for Cursor, and looks on behind it", () =>
    Effect.gen(function* () {
      const [first, second] = [temporaryFolder(), temporaryFolder()]
      const other = grok(first)
      const path = `${first}:${second}:${systemFolders}`
      const problem = yield* failure({ PATH: path })
      assert.strictEqual(problem.code, "agent-not-recognised")
      assert.include(problem.cause, "grok-cli 1.2.3")
      assert.strictEqual(problem.evidence.path, other)
      const cursors = fakeCursor(second, "agent", version)
      assert.strictEqual((yield* find({ PATH: path })).path, cursors)
    })
  )

  it.live("refuses builds from before 2026.02", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder()
      fakeCursor(folder, "cursor-agent", "2025.11.30-abcdef0")
      const problem = yield* failure({ PATH: `${folder}:${systemFolders}` })
      assert.strictEqual(problem.code, "agent-too-old")
      assert.include(problem.cause, "2025.11.30-abcdef0")
      assert.strictEqual(problem.nextSteps[0]?.command, "cursor-agent update")
    })
  )

  it.live("distinguishes a file that cannot be executed from one that is not there", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder()
      const path = script(folder, "cursor-agent", "echo", 0o644)
      const problem = yield* failure({ PATH: folder })
      assert.strictEqual(problem.code, "agent-start-failed")
      assert.strictEqual(problem.evidence.path, path)
      assert.strictEqual(problem.nextSteps[0]?.command, `chmod +x ${path}`)
      mkdirSync(join(folder, "agent"))
      assert.strictEqual((yield* failure({ PATH: folder })).code, "agent-start-failed")
    })
  )

  it.live("keeps what a failing program printed", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder()
      script(folder, "cursor-agent", 'echo "needs glibc 2.99" >&2; exit 3')
      const problem = yield* failure({ PATH: `${folder}:${systemFolders}` })
      assert.strictEqual(problem.code, "agent-start-failed")
      assert.strictEqual(problem.evidence.exitCode, 3)
      assert.deepStrictEqual(problem.evidence.stderrTail, ["needs glibc 2.99"])
      script(folder, "cursor-agent", "kill -KILL $$")
      assert.strictEqual((yield* failure({ PATH: `${folder}:${systemFolders}` })).evidence.signal, "SIGKILL")
    })
  )

  it.live("takes the program that was chosen, by path or by name, and no other", () =>
    Effect.gen(function* () {
      const [folder, home] = [temporaryFolder(), temporaryFolder()]
      const env = { PATH: `${folder}:${systemFolders}`, HOME: home }
      fakeCursor(folder, "cursor-agent", version)
      const own = fakeCursor(home, "my-cursor", "2026.08.11-e8db854")
      const named = fakeCursor(folder, "cursor-beta", "2026.08.11-e8db854")
      assert.strictEqual((yield* find(env, { binaryPath: own })).path, own)
      assert.strictEqual((yield* find(env, { binaryPath: "~/my-cursor" })).path, own)
      assert.strictEqual((yield* find(env, { binaryPath: "cursor-beta" })).path, named)
      const missing = yield* failure(env, { binaryPath: "/nowhere/cursor-agent" })
      assert.strictEqual(missing.code, "agent-not-found")
      assert.strictEqual(missing.evidence.path, "/nowhere/cursor-agent")
      assert.include((yield* failure(env, { binaryPath: "no-such-cursor" })).cause, "no-such-cursor isn't in any of")
    })
  )

  it.live("searches the PATH that Cursor itself is given", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder()
      const path = fakeCursor(folder, "cursor-agent", version)
      const found = yield* find({ PATH: systemFolders }, { env: { PATH: `${folder}:${systemFolders}` } })
      assert.strictEqual(found.path, path)
    })
  )
})

describe("Probe.run", () => {
  const program = (path: string, args: ReadonlyArray<string> = []) => ({
    path,
    args,
    cwd: "/",
    env: { PATH: systemFolders, KEPT: "1", DROPPED: undefined }
  })

  /** A zombie that nobody has reaped yet still answers to signal 0; it runs no more. */
  const stateOf = (pid: number) => {
    try {
      return / ([A-Z]) /.exec(readFileSync(`/proc/${pid}/stat`, "utf8").replace(/\(.*\)/, ""))?.[1]
    } catch {
      return undefined
    }
  }

  it.live("kills a program that hangs, with its children, and keeps what it had printed", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder()
      const pidFile = join(folder, "pid")
      const hanging = script(folder, "hang", `echo started; sleep 600 & echo $! > '${pidFile}'; wait`)
      const error = yield* Effect.flip(Probe.run(program(hanging), "400 millis"))
      assert.instanceOf(error, Probe.TimedOut)
      assert.strictEqual(error.stdout, "started\n")
      assert.include([undefined, "Z", "X"], stateOf(Number(readFileSync(pidFile, "utf8"))))
    }).pipe(Effect.provide(machine({})))
  )

  it.live("distinguishes a program that prints without end from one that hangs", () =>
    Effect.gen(function* () {
      const printing = script(temporaryFolder(), "print", "yes 2026.11.22")
      const error = yield* Effect.flip(Probe.run(program(printing), "1 minute"))
      assert.instanceOf(error, Probe.TimedOut)
      assert.isTrue(error.flooded)
      const { cause } = BinaryErrors.hangs(error).problem
      assert.match(cause, /print --version printed without end and was killed after .* It began with “2026\.11\.22 /)
    }).pipe(Effect.provide(machine({})))
  )

  it.live("ends what a program leaves behind outside of its group", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder()
      const pidFile = join(folder, "pid")
      // The script ends once the other is in a session of its own.
      const daemon = `setsid sh -c 'echo $$ > "$0"; exec sleep 600' '${pidFile}' > /dev/null 2>&1 &`
      const forking = script(folder, "fork", `${daemon}\nuntil [ -s '${pidFile}' ]; do sleep 0.01; done; echo done`)
      const printed = yield* Probe.run(program(forking), "20 seconds")
      assert.strictEqual(printed.stdout, "done\n")
      assert.include([undefined, "Z", "X"], stateOf(Number(readFileSync(pidFile, "utf8"))))
    }).pipe(Effect.provide(machine({})))
  )

  it.live("bounds what it reads, and reads to the end all the same", () =>
    Effect.gen(function* () {
      const loud = script(temporaryFolder(), "loud", "head -c 3000000 /dev/zero | tr '\\0' x; echo end >&2; exit 4")
      const printed = yield* Probe.run(program(loud), "20 seconds")
      assert.strictEqual(printed.exitCode, 4)
      assert.strictEqual(printed.stdout.length, 65_536)
      assert.strictEqual(printed.stderr, "end\n")
    }).pipe(Effect.provide(machine({})))
  )

  it.live("does not wait for a helper that keeps the output open", () =>
    Effect.gen(function* () {
      const parent = script(temporaryFolder(), "parent", "echo done; sleep 600 & exit 0")
      const [took, printed] = yield* Effect.timed(Probe.run(program(parent), "5 minutes"))
      assert.strictEqual(printed.stdout, "done\n")
      assert.isBelow(Duration.toSeconds(took), 60)
    }).pipe(Effect.provide(machine({})))
  )

  it.live("gives the environment that it is told, and prints without colours", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder()
      const show = script(folder, "show", 'printf \'\\033[1mkept=%s dropped=%s\\033[0m\\n\' "$KEPT" "${DROPPED-none}"')
      const printed = yield* Probe.run(program(show), "10 seconds")
      assert.strictEqual(printed.stdout, "kept=1 dropped=none\n")
    }).pipe(Effect.provide(machine({})))
  )

  it.live("says when a program cannot be started", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder()
      assert.instanceOf(yield* Effect.flip(Probe.run(program(join(folder, "none")), "5 seconds")), Probe.NotStarted)
    }).pipe(Effect.provide(machine({})))
  )
})

describe("CursorLogin.check", () => {
  const check = (env: Readonly<Record<string, string | undefined>>, options: CursorOptions = {}, path = emulator) =>
    CursorLogin.check(path, options).pipe(Effect.provide(machine(env)))

  it.live("knows who is logged in to each generation of the emulator", () =>
    Effect.gen(function* () {
      for (const generation of ["2026.02", "2026.10"]) {
        const ok = yield* check(emulatorEnvironment({ FAKE_CURSOR_GEN: generation, FAKE_CURSOR_AUTH: "ok" }))
        assert.strictEqual(ok.state, "ok", generation)
        assert.match(ok.detail, /^Signed in as \S+@\S+\.$/)
        const none = yield* check(emulatorEnvironment({ FAKE_CURSOR_GEN: generation, FAKE_CURSOR_AUTH: "none" }))
        assert.strictEqual(none.state, "missing", generation)
      }
    })
  )

  it.live("takes a key or token for a login without asking, and never shows it", () =>
    Effect.gen(function* () {
      const nowhere = "/nowhere/cursor-agent"
      const logins = [
        yield* check({ CURSOR_API_KEY: "secret-1" }, {}, nowhere),
        yield* check({}, { env: { CURSOR_AUTH_TOKEN: "secret-2" } }, nowhere),
        yield* check({}, { args: ["--api-key", "secret-3"] }, nowhere),
        yield* check({}, { args: ["--auth-token=secret-4"] }, nowhere)
      ]
      for (const login of logins) {
        assert.strictEqual(login.state, "ok")
        assert.notInclude(login.detail, "secret")
      }
      assert.strictEqual((yield* check({ CURSOR_API_KEY: "" }, {}, nowhere)).state, "unknown")
    })
  )

  it.live("falls back to what status and about say in words, and does not guess beyond that", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder()
      const env = { PATH: systemFolders }
      const words = fakeCursor(folder, "words", version, "✓ Logged in as dev@example.com")
      assert.strictEqual((yield* check(env, {}, words)).detail, "Signed in as dev@example.com.")
      const about = (user: string) =>
        script(
          folder,
          "about",
          `[ "$*" = about ] || exit 1; printf 'About Cursor CLI\\n\\n\\033[1mUser Email\\033[0m          ${user}\\n'`
        )
      assert.strictEqual((yield* check(env, {}, about("dev@example.com"))).state, "ok")
      assert.strictEqual((yield* check(env, {}, about("Not logged in"))).state, "missing")
      assert.strictEqual((yield* check(env, {}, script(folder, "mute", "exit 0"))).state, "unknown")
    })
  )
})

describe("CursorProfile", () => {
  const input = (options: CursorOptions) => ({
    threadId: ThreadId.make("thread"),
    provider: { id: ProviderId.make("cursor"), kind: "cursor", name: "Cursor", simulated: false } as const,
    providerOptions: { cursor: options },
    cwd: temporaryFolder(),
    knownPrompts: [],
    settings: {}
  })

  it.live("starts the program it found: endpoint, then the user's arguments, then acp", () =>
    Effect.gen(function* () {
      const profile = yield* CursorProfile.make
      const options = { apiEndpoint: "https://e.example", args: ["--force"], env: { A: "b" } }
      const launch = yield* profile.launch(input(options))
      assert.deepStrictEqual(launch, {
        command: join(emulatorFolder, "cursor-agent"),
        args: ["-e", "https://e.example", "--force", "acp"],
        env: { NODE_OPTIONS: undefined, A: "b" },
        version: "2026.10.01-e373342"
      })
    }).pipe(Effect.provide(machine({ ...emulatorEnvironment(), NODE_OPTIONS: "--no-warnings" })))
  )

  it.live("authenticates only where that can help", () =>
    Effect.gen(function* () {
      const profile = yield* CursorProfile.make
      const launch = { command: "/c", args: ["acp"], env: {} }
      const methods = ["cursor_login"]
      assert.strictEqual(profile.authenticate(methods, launch)?.methodId, "cursor_login")
      assert.isUndefined(profile.authenticate(["other"], launch))
      assert.isUndefined(profile.authenticate(methods, { ...launch, env: { CURSOR_API_KEY: "k" } }))
      assert.isUndefined(profile.authenticate(methods, { ...launch, args: ["--auth-token", "t", "acp"] }))
    }).pipe(Effect.provide(machine({ PATH: systemFolders })))
  )

  it.live("uses the key that our own environment holds", () =>
    Effect.gen(function* () {
      const profile = yield* CursorProfile.make
      assert.isUndefined(profile.authenticate(["cursor_login"], { command: "/c", args: ["acp"], env: {} }))
    }).pipe(Effect.provide(machine({ CURSOR_API_KEY: "k" })))
  )
})
