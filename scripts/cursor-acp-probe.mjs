#!/usr/bin/env node
// Asks an installed `agent acp` what it can do, call by call, and writes down what it answered. Plain Node 18 or newer, no build.
//
//   node scripts/cursor-acp-probe.mjs [--command "cursor-agent acp"] [--cwd DIR] [--out DIR] [--no-prompts] [--timeout SECONDS]
//
// Without --command it takes `cursor-agent`, else `agent`, from PATH. The prompts cost a few tokens of your account and ask for
// nothing but `pwd`; permission requests are answered with the reject option. Everything is written, redacted, to
// .tmp/acp-probe/<time>/transcript.ndjson (each line both ways) and summary.json (what works, shapes, codes, timings).
import { spawn, spawnSync } from "node:child_process"
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

const usage = `Usage: node scripts/cursor-acp-probe.mjs [--command "agent acp"] [--cwd DIR] [--out DIR] [--no-prompts] [--timeout SECONDS]`

const readOptions = () => {
  try {
    const { values } = parseArgs({
      options: {
        command: { type: "string" },
        cwd: { type: "string" },
        out: { type: "string" },
        "no-prompts": { type: "boolean", default: false },
        timeout: { type: "string", default: "60" },
        help: { type: "boolean", default: false }
      }
    })
    const timeoutMs = Number(values.timeout) * 1000
    if (!(timeoutMs > 0)) throw new Error(`--timeout wants seconds, not "${values.timeout}".`)
    return { ...values, timeoutMs }
  } catch (error) {
    console.error(`${error.message}\n${usage}`)
    process.exit(2)
  }
}

/** Nothing that identifies a person or opens a door leaves this process. */
const makeRedact = (cwd) => {
  const secretKey = /token|secret|api[-_]?key|authorization|password|cookie|challenge/i
  const text = (value) =>
    value
      .replaceAll(cwd, "<cwd>")
      .replaceAll(homedir(), "~")
      .replace(/[\w.+-]+@[\w-]+\.[\w.]+/g, "<email>")
      .replace(/\b(?:sk|key|crsr|ghp|eyJ)[-_A-Za-z0-9.]{16,}/g, "<secret>")
      .replace(/([?&](?:challenge|uuid|code|state|token)=)[^&\s"]+/g, "$1<secret>")
  const redact = (value, key = "") => {
    if (typeof value === "string") return secretKey.test(key) ? "<secret>" : text(value)
    if (Array.isArray(value)) return value.map((item) => redact(item, key))
    if (value === null || typeof value !== "object") return value
    if (key === "env" || key === "headers") return "<redacted>"
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redact(item, name)]))
  }
  return redact
}

/** One agent process and the JSON-RPC conversation with it. */
class Agent {
  #pending = new Map()
  #nextId = 1
  #rest = ""
  #redact
  stderr = []
  updates = new Map()
  notes = {
    permissionOptions: [],
    extensionRequests: {},
    nonJsonLines: 0,
    agentRequestIds: [],
    toolStatuses: [],
    stopReasons: []
  }
  onUpdate = () => {}

  constructor(command, cwd, transcript, redact) {
    this.#redact = redact
    this.transcript = transcript
    const [program, ...args] = command
    this.child = spawn(program, args, { cwd, stdio: ["pipe", "pipe", "pipe"], detached: process.platform !== "win32" })
    this.exited = new Promise((done) => {
      this.child.on("error", (error) => done({ error: error.message }))
      this.child.on("exit", (code, signal) => done({ code, signal }))
    })
    void this.exited.then((how) => {
      this.gone = how
      for (const { settle } of this.#pending.values()) settle({ exited: how })
      this.#pending.clear()
    })
    this.child.stdin.on("error", () => {})
    this.child.stdout.setEncoding("utf8").on("data", (text) => this.#read(text))
    this.child.stderr.setEncoding("utf8").on("data", (text) => {
      for (const line of text.split("\n").filter(Boolean)) {
        this.#record("err", line)
        if (this.stderr.length < 50) this.stderr.push(redact(line))
      }
    })
  }

  #record(direction, message) {
    this.transcript.write(
      `${JSON.stringify({ at: Date.now(), pid: this.child.pid, direction, message: this.#redact(message) })}\n`
    )
  }

  #write(message) {
    this.#record("out", message)
    if (this.child.stdin.writable) this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  }

  #read(text) {
    const lines = (this.#rest + text).split("\n")
    this.#rest = lines.pop() ?? ""
    for (const line of lines) {
      if (line.trim() === "") continue
      let message
      try {
        message = JSON.parse(line)
      } catch {
        this.notes.nonJsonLines++
        this.#record("in", line)
        continue
      }
      this.#record("in", message)
      this.#dispatch(message)
    }
  }

  #dispatch(message) {
    if (message.method === undefined) {
      this.#pending.get(message.id)?.settle(message)
      return
    }
    if (message.id === undefined) {
      if (message.method !== "session/update") return
      const update = message.params?.update ?? {}
      this.updates.set(update.sessionUpdate, (this.updates.get(update.sessionUpdate) ?? 0) + 1)
      if (update.status) this.notes.toolStatuses.push(update.status)
      this.onUpdate(update)
      return
    }
    this.notes.agentRequestIds.push(message.id)
    if (message.method === "session/request_permission") {
      const options = message.params?.options ?? []
      this.notes.permissionOptions.push(options.map(({ optionId, kind, name }) => ({ optionId, kind, name })))
      const reject = options.find(({ kind }) => kind === "reject_once")
      const outcome = reject ? { outcome: "selected", optionId: reject.optionId } : { outcome: "cancelled" }
      this.#write({ id: message.id, result: { outcome } })
      return
    }
    this.notes.extensionRequests[message.method] = Object.keys(message.params ?? {})
    this.#write({ id: message.id, error: { code: -32601, message: `Method not found: ${message.method}` } })
  }

  notify(method, params) {
    this.#write({ method, params })
  }

  /** The answer, an error, `{ exited }` or `{ timedOut }`, with the milliseconds that it took. */
  call(method, params, timeoutMs) {
    const id = this.#nextId++
    const started = performance.now()
    return new Promise((done) => {
      const settle = (answer) => {
        clearTimeout(timer)
        this.#pending.delete(id)
        done({ ...answer, ms: Math.round(performance.now() - started) })
      }
      const timer = setTimeout(() => settle({ timedOut: true }), timeoutMs)
      this.#pending.set(id, { settle })
      if (this.gone) settle({ exited: this.gone })
      else this.#write({ id, method, params })
    })
  }

  async stop() {
    this.child.stdin.end()
    const signal = (name) => {
      try {
        if (process.platform === "win32") this.child.kill(name)
        else if (this.child.pid !== undefined) process.kill(-this.child.pid, name)
      } catch {
        // The group is gone, which is what we want.
      }
    }
    const left = (ms) => Promise.race([this.exited, new Promise((done) => setTimeout(done, ms, "late"))])
    if ((await left(500)) === "late") signal("SIGTERM")
    if ((await left(2_000)) === "late") signal("SIGKILL")
    const how = await this.exited
    signal("SIGKILL")
    return how
  }
}

const findCommand = () => {
  for (const name of ["cursor-agent", "agent"]) {
    const version = spawnSync(name, ["--version"], { encoding: "utf8", timeout: 15_000 })
    if (version.status === 0) return { command: [name, "acp"], version: version.stdout.trim() }
  }
  console.error("Neither cursor-agent nor agent is in PATH. Install Cursor's CLI, or name the program with --command.")
  return process.exit(1)
}

/** What a result looks like without its values: keys, and the ids of what can be chosen. */
const shape = (value, depth = 0) => {
  if (Array.isArray(value))
    return value.length === 0 ? [] : [shape(value[0], depth + 1), ...(value.length > 1 ? [`… ${value.length}`] : [])]
  if (value === null || typeof value !== "object") return typeof value
  if (depth > 4) return "…"
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shape(item, depth + 1)]))
}

const outcomeOf = (answer) => {
  if (answer.exited) return { outcome: "exited", exit: answer.exited, ms: answer.ms }
  if (answer.timedOut) return { outcome: "timed out", ms: answer.ms }
  if (answer.error)
    return {
      outcome: "error",
      code: answer.error.code,
      message: answer.error.message,
      data: answer.error.data,
      ms: answer.ms
    }
  return { outcome: "ok", shape: shape(answer.result), ms: answer.ms }
}

/** A folder for the agent to work in, removed when this process ends. */
const temporaryFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "acp-probe-"))
  process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

const main = async () => {
  const options = readOptions()
  if (options.help) return console.log(usage)
  const found = options.command ? { command: options.command.split(/\s+/) } : findCommand()
  const version =
    found.version ?? spawnSync(found.command[0], ["--version"], { encoding: "utf8", timeout: 15_000 }).stdout?.trim()
  const cwd = options.cwd ? resolve(options.cwd) : temporaryFolder()
  const root = dirname(dirname(fileURLToPath(import.meta.url)))
  const out = resolve(options.out ?? join(root, ".tmp", "acp-probe", new Date().toISOString().replace(/[:.]/g, "-")))
  mkdirSync(out, { recursive: true })
  const transcript = createWriteStream(join(out, "transcript.ndjson"), { mode: 0o600 })
  const redact = makeRedact(cwd)
  const calls = []
  const agents = []
  const start = () => {
    const agent = new Agent(found.command, cwd, transcript, redact)
    agents.push(agent)
    return agent
  }
  const note = (name, answer) => {
    calls.push({ call: name, ...redact(outcomeOf(answer)) })
    return answer
  }
  const ask = async (agent, name, method, params, timeoutMs = options.timeoutMs) =>
    note(name, await agent.call(method, params, timeoutMs))
  const initialize = (agent, name) =>
    ask(agent, name, "initialize", {
      protocolVersion: 1,
      clientInfo: { name: "signalbox-probe", version: "0.1.0" },
      clientCapabilities: {
        fs: { readTextFile: false, writeTextFile: false },
        terminal: false,
        _meta: { parameterizedModelPicker: true }
      }
    })

  const first = start()
  const initialized = await initialize(first, "initialize")
  if (initialized.exited) {
    await first.stop()
    await new Promise((done) => transcript.end(done))
    console.error(`The agent ended before it answered initialize: ${JSON.stringify(redact(initialized.exited))}`)
    for (const line of first.stderr) console.error(`  ${line}`)
    console.error(`Written to ${out}`)
    process.exitCode = 1
    return
  }
  const methods = initialized.result?.authMethods ?? []
  if (methods[0]?.id)
    await ask(first, "authenticate (first offered method)", "authenticate", { methodId: methods[0].id }, 15_000)
  await ask(first, "authenticate (unknown method)", "authenticate", { methodId: "no_such_method" }, 15_000)
  const created = await ask(first, "session/new", "session/new", { cwd, mcpServers: [] })
  const sessionId = created.result?.sessionId
  const text = (words) => [{ type: "text", text: words }]

  if (sessionId) {
    for (const mode of created.result.modes?.availableModes ?? [])
      await ask(first, `session/set_mode (${mode.id})`, "session/set_mode", { sessionId, modeId: mode.id })
    if (created.result.modes)
      await ask(first, "session/set_mode (back)", "session/set_mode", {
        sessionId,
        modeId: created.result.modes.currentModeId
      })
    // Each option is set to what it already is: a probe changes nothing.
    for (const option of created.result.configOptions ?? [])
      await ask(first, `session/set_config_option (${option.id}, unchanged)`, "session/set_config_option", {
        sessionId,
        configId: option.id,
        value: option.currentValue,
        ...(option.type === "boolean" && { type: "boolean" })
      })
    await ask(first, "session/set_config_option (unknown option)", "session/set_config_option", {
      sessionId,
      configId: "no_such_option",
      value: "x"
    })
    await ask(
      first,
      "session/cancel sent as a request (must be a notification)",
      "session/cancel",
      { sessionId },
      5_000
    )
  }
  await ask(first, "session/list", "session/list", { cwd })
  await ask(first, "cursor/list_available_models", "cursor/list_available_models", {})
  await ask(first, "session/prompt (unknown session)", "session/prompt", {
    sessionId: "no-such-session",
    prompt: text("hello")
  })
  await ask(first, "session/load (unknown session)", "session/load", {
    sessionId: "no-such-session",
    cwd,
    mcpServers: []
  })
  await ask(first, "session/load (no parameters)", "session/load", {})
  for (const method of ["session/resume", "session/fork", "session/close"])
    await ask(first, method, method, { sessionId: sessionId ?? "none", cwd, mcpServers: [] })
  await ask(first, "an unknown method", "no/such_method", {})

  if (sessionId && !options["no-prompts"]) {
    const prompt = (name, words) =>
      ask(first, name, "session/prompt", { sessionId, prompt: text(words) }, options.timeoutMs * 3)
    const answered = await prompt(
      "session/prompt (asks to run pwd, permission rejected)",
      "Run `pwd` in a shell and tell me the result."
    )
    if (answered.result) first.notes.stopReasons.push(answered.result.stopReason)
    const underWay = new Promise((done) => (first.onUpdate = done))
    const cancelled = prompt(
      "session/prompt, cancelled by a notification",
      "Count slowly from 1 to 200, one number a line."
    )
    await Promise.race([underWay, cancelled])
    first.notify("session/cancel", { sessionId })
    const stopped = await cancelled
    if (stopped.result) first.notes.stopReasons.push(stopped.result.stopReason)
    const pair = await Promise.all([
      prompt("session/prompt, first of two at once", "Say one."),
      prompt("session/prompt, second of two at once", "Say two.")
    ])
    for (const { result } of pair) if (result) first.notes.stopReasons.push(result.stopReason)
  }
  const firstExit = await first.stop()

  if (sessionId && initialized.result?.agentCapabilities?.loadSession) {
    const second = start()
    await initialize(second, "initialize (second process)")
    const before = [...second.updates.values()].reduce((sum, n) => sum + n, 0)
    await ask(second, "session/load (from another process)", "session/load", { sessionId, cwd, mcpServers: [] })
    const replayed = [...second.updates.values()].reduce((sum, n) => sum + n, 0) - before
    calls.at(-1).replayedUpdates = replayed
    await second.stop()
  }

  const kinds = {}
  for (const agent of agents) for (const [kind, count] of agent.updates) kinds[kind] = (kinds[kind] ?? 0) + count
  const summary = {
    command: redact(found.command.join(" ")),
    version: version || null,
    capabilities: redact(initialized.result?.agentCapabilities ?? null),
    authMethods: methods.map(({ id, type }) => ({ id, type: type ?? "agent" })),
    calls,
    methodsThatWork: [
      ...new Set(
        calls.filter(({ outcome }) => outcome === "ok").map(({ call }) => call.split(" ")[0].replace(/,$/, ""))
      )
    ],
    errorCodes: Object.fromEntries(
      calls.filter(({ outcome }) => outcome === "error").map(({ call, code }) => [call, code])
    ),
    updateKinds: kinds,
    toolStatuses: [...new Set(agents.flatMap(({ notes }) => notes.toolStatuses))],
    stopReasons: [...new Set(first.notes.stopReasons)],
    permissionOptions: first.notes.permissionOptions,
    configOptions: redact(
      (created.result?.configOptions ?? []).map(({ id, type, category, currentValue, options: choices }) => ({
        id,
        type,
        category,
        currentValue,
        choices: Array.isArray(choices) ? choices.length : undefined
      }))
    ),
    extensionRequests: first.notes.extensionRequests,
    agentRequestIds: first.notes.agentRequestIds.slice(0, 10),
    nonJsonLines: agents.reduce((sum, { notes }) => sum + notes.nonJsonLines, 0),
    exit: firstExit,
    stderr: first.stderr
  }
  writeFileSync(join(out, "summary.json"), `${JSON.stringify(summary, null, 2)}\n`, { mode: 0o600 })
  await new Promise((done) => transcript.end(done))
  for (const { call, code, ms, outcome } of calls)
    console.log(
      `${outcome === "ok" ? "ok   " : String(code ?? outcome).padEnd(5)}  ${String(ms).padStart(6)} ms  ${call}`
    )
  console.log(`\nWritten to ${out}`)
  if (!initialized.result) process.exitCode = 1
}

await main()
