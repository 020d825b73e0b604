/**
 * Real agents, as far as they need no model and no login: `SIGNALBOX_REAL_AGENTS=FOLDER` names a folder in which npm has installed some
 * (`npm install --prefix FOLDER @google/gemini-cli opencode-ai …`; folders of their own within it are looked into as well). Each has a home
 * of its own, and only those of our variables that programs need. So nobody's account is used.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { find } from "../../chaos/MarkedProcesses.ts"
import type { KnownAgent } from "../../src/provider/known/KnownAgent.ts"
import * as KnownAgents from "../../src/provider/known/KnownAgents.ts"
import { assertReadable } from "../cli/support/Runs.ts"
import { call, temporaryFolder } from "../cli/support/Signalbox.ts"
import { scriptedMain } from "../support/ScriptedAgent.ts"

const folder = process.env["SIGNALBOX_REAL_AGENTS"] ?? ""

interface Installed {
  readonly agent: KnownAgent
  readonly program: string
}

/** Those whose package and program are there. */
const installed = (root: string): ReadonlyArray<Installed> => {
  const roots = [root, ...readdirSync(root).map((name) => join(root, name))]
  return KnownAgents.all.flatMap((agent): ReadonlyArray<Installed> => {
    const { npm } = agent
    if (npm === undefined) return []
    const within = roots
      .map((root) => join(root, "node_modules"))
      .find((modules) => existsSync(join(modules, npm.package)))
    const program = agent.programs.map((name) => join(within ?? root, ".bin", name)).find((path) => existsSync(path))
    return within === undefined || program === undefined ? [] : [{ agent, program }]
  })
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly result?: {
    readonly protocolVersion?: number
    readonly sessionId?: string
    readonly agentCapabilities?: { readonly sessionCapabilities?: { readonly list?: object | null } }
  }
  readonly error?: { readonly code: number; readonly message: string }
}
interface Line {
  readonly dir: string
  readonly line: Message
}

/** What was answered to each method that we called, as the tape has it. */
const answersOn = (tape: string) => {
  const lines = readFileSync(tape, "utf8")
    .trim()
    .split("\n")
    .map((line): Line => JSON.parse(line))
  const called = new Map(lines.flatMap(({ dir, line }) => (dir === "out" ? [[line.id, line.method] as const] : [])))
  const answers = lines.filter(({ dir, line }) => dir === "in" && line.method === undefined)
  return (method: string): Message | undefined => answers.find(({ line }) => called.get(line.id) === method)?.line
}

/** A text without its line breaks and indentation, which differ with the width of a terminal. */
const flat = (text: string): string => text.replace(/\s+/g, " ")

/** Runs one prompt and lists the sessions. Compares the text for people with the lines on the wire. */
const look = Effect.fnUntraced(function* ({ agent, program }: Installed, env: Readonly<Record<string, string>> = {}) {
  const home = temporaryFolder("home")
  const state = temporaryFolder("state")
  const tape = join(temporaryFolder("tape"), "tape.ndjson")
  const settings = { command: program, args: agent.npm?.args ?? [], environment: "listed", env }
  writeFileSync(join(state, "settings.json"), JSON.stringify({ agents: { [agent.id]: settings } }))
  const signalbox = (...args: ReadonlyArray<string>) =>
    call([...args, "--provider", agent.id], { env: { HOME: home, SIGNALBOX_STATE_DIR: state } })

  const run = yield* signalbox("run", "--tape", tape, "--timeout", "45", "Say hello.")
  const answerTo = answersOn(tape)
  const hello = answerTo("initialize")
  assert.strictEqual(hello?.result?.protocolVersion, 1, run.stderr)
  const opened = answerTo("session/new")
  assert.isDefined(opened, run.stderr)
  const error = opened.error ?? answerTo("session/prompt")?.error
  if (opened.error === undefined) assert.isString(opened.result?.sessionId)
  if (error !== undefined) {
    assert.strictEqual(run.code, error.code === -32000 ? 5 : 1, run.stderr)
    assert.include(flat(run.stderr), flat(error.message))
  }
  assertReadable(run)

  const list = yield* signalbox("sessions", "list")
  const offered = hello?.result?.agentCapabilities?.sessionCapabilities?.list
  if (offered === undefined || offered === null) assert.include(list.stderr, "does not list its sessions")
  else assert.oneOf(list.code, [0, 5], list.stderr)
  assertReadable(list)

  yield* Effect.sync(() => find(`HOME=${home}`)).pipe(
    Effect.repeat({ until: (left) => left.length === 0, times: 1200, schedule: Schedule.spaced("50 millis") }),
    Effect.tap((left) => Effect.sync(() => assert.deepEqual(left, [])))
  )
  return { run, list }
})

/** A folder in which Gemini CLI seems to be installed. It is the scripted agent. */
const standIn = (setup: object): Installed & { readonly env: Readonly<Record<string, string>> } => {
  const root = temporaryFolder("installed")
  const bin = join(root, "node_modules", ".bin")
  mkdirSync(bin, { recursive: true })
  mkdirSync(join(root, "node_modules", "@google", "gemini-cli"), { recursive: true })
  writeFileSync(join(bin, "gemini"), `#!/bin/sh\nexec '${process.execPath}' '${scriptedMain}'\n`, { mode: 0o755 })
  const [found] = installed(root)
  assert.isDefined(found)
  return { ...found, env: { SCRIPTED_AGENT: JSON.stringify(setup) } }
}

const found = folder === "" ? [] : installed(resolve(folder))

describe("an agent from npm is shown as it is, without a model and a login", () => {
  it.live("the stand-in that wants a login", () =>
    Effect.gen(function* () {
      const agent = standIn({ authRequired: true, list: { sessions: [] } })
      const { list, run } = yield* look(agent, agent.env)
      assert.strictEqual(run.code, 5)
      assert.strictEqual(list.code, 0, list.stderr)
    })
  )

  it.live("the stand-in that opens no session", () =>
    Effect.gen(function* () {
      const error = { code: -32603, message: "Internal error: the program is not there" }
      const agent = standIn({ newSessionErrors: [error, error, error] })
      assert.strictEqual((yield* look(agent, agent.env)).run.code, 1)
    })
  )

  it.skipIf(folder === "")("there are agents in the folder that SIGNALBOX_REAL_AGENTS names", () => {
    assert.isNotEmpty(found)
  })
  for (const one of found) it.live(one.agent.name, () => look(one), 240_000)
})
