/** Programs in a sandbox over real processes, in a small world of their own: a home, a project, a state folder. */
import type { SandboxSettings } from "@signalbox/contracts/Sandbox"
import * as GuardedProcess from "@signalbox/process/GuardedProcess"
import { ProcessLedger } from "@signalbox/process/ProcessLedger"
import * as ProcessLedgerLayer from "@signalbox/process/ProcessLedgerLayer"
import type { Program } from "@signalbox/process/Program"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { inRepository } from "../../src/base/Installation.ts"
import * as Bubblewrap from "../../src/sandbox/Bubblewrap.ts"
import * as Sandbox from "../../src/sandbox/Sandbox.ts"

const found = await Effect.runPromise(Effect.exit(Bubblewrap.find({ writable: [] })))

/** With this set, a machine without a sandbox fails; elsewhere these tests are skipped there. */
export const boxesAreSkipped = Exit.isFailure(found) && process.env["SIGNALBOX_REQUIRE_SANDBOX"] !== "1"

if (boxesAreSkipped) console.warn(`The tests in a sandbox are skipped: ${String(Exit.isFailure(found) && found.cause)}`)

/** Text that nothing in a sandbox may read. */
export const canary = "canary-5f1c"

export interface World {
  /** Not in the machine's temporary folder, which a sandbox hides as a whole. */
  readonly folder: string
  readonly home: string
  readonly project: string
  readonly state: string
}

const written = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

export const world = Effect.acquireRelease(
  Effect.sync((): World => {
    mkdirSync(inRepository(".tmp"), { recursive: true })
    const folder = realpathSync(mkdtempSync(inRepository(".tmp", "boxes-")))
    const home = join(folder, "home")
    const project = join(folder, "a project")
    const state = join(folder, "state")
    for (const path of [".ssh/id_ed25519", ".aws/credentials", ".netrc", ".config/gh/hosts.yml", ".docker/config.json"])
      written(join(home, path), canary)
    written(join(home, ".bashrc"), "# theirs\n")
    written(join(home, "notes.txt"), "readable")
    written(join(state, "server.json"), canary)
    written(join(state, "agents-installed/one/agent"), "a program")
    written(join(project, "readme.txt"), "theirs\n")
    return { folder, home, project, state }
  }),
  ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

export const git = (cwd: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
    stdio: ["ignore", "pipe", "pipe"]
  }).trim()

export interface Wishes {
  readonly settings?: SandboxSettings
  readonly env?: Program["env"]
  readonly folders?: ReadonlyArray<string>
  readonly own?: ReadonlyArray<string>
  readonly cwd?: string
}

const shell = (script: string, env: Program["env"] = {}): Program => ({
  command: "/bin/sh",
  args: ["-c", script],
  env
})

/** The sandbox of a session in the world's project. */
export const sandboxOf = (
  { home, project, state }: World,
  { cwd = project, env = {}, folders = [project], own = [state], settings = true }: Wishes = {}
) => Sandbox.make({ settings, folders, own, agent: { program: shell("", { HOME: home, ...env }), cwd } })

/** Starts a script in the sandbox. Closing the scope ends it. */
export const started = Effect.fnUntraced(function* (place: World, script: string, wishes: Wishes = {}) {
  const sandbox = yield* sandboxOf(place, wishes)
  const { cwd = place.project, env } = wishes
  const start = yield* sandbox.within({ program: shell(script, { HOME: place.home, ...env }), cwd })
  return yield* GuardedProcess.start({ ...start, ledger: yield* ProcessLedger })
}, Effect.provide(ProcessLedgerLayer.layerDisabled))

/** Runs a script in the sandbox, and returns all that it prints. */
export const ran = Effect.fnUntraced(function* (place: World, script: string, wishes?: Wishes) {
  const { child, over } = yield* started(place, script, wishes)
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes: Buffer) => (output += bytes.toString()))
  child.stdin.end()
  const { exitCode, signal } = yield* over
  return { output, exitCode, signal }
}, Effect.scoped)
