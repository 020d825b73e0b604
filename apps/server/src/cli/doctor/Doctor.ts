/** `signalbox doctor`: what this machine has, what is missing, and what to do about it. */
import type { McpServerInfo } from "@signalbox/contracts/McpServer"
import type { ProviderCheck, ProviderStatus } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Run from "../../compose/Run.ts"
import { stateDirectory } from "@signalbox/system/StateDirectory"
import { version } from "../../base/Version.ts"
import * as McpServers from "../../mcp/McpServers.ts"
import { ProviderCatalog } from "../../provider/Services/ProviderCatalog.ts"
import * as Bubblewrap from "../../sandbox/Bubblewrap.ts"
import { SettingsFile } from "../../settings/SettingsFile.ts"
import { agentOf, type SettingsReading } from "../../settings/SettingsText.ts"
import { ExitCode } from "../terminal/ExitCode.ts"
import { fitted } from "../terminal/LineBreaks.ts"
import { reachedBy, stateOf } from "../mcp/Mcp.ts"
import { oneLine } from "../../base/Plain.ts"
import { problemText } from "../terminal/ProblemText.ts"
import * as StateReport from "../server/StateReport.ts"
import * as Terminal from "../terminal/Terminal.ts"
import * as LanguageServersFinding from "./LanguageServersFinding.ts"
import * as RulesFinding from "./RulesFinding.ts"

export const doctor = Effect.fn("Doctor")(function* (flags: { readonly stateDir: Option.Option<string> }) {
  const directory = stateDirectory(Option.getOrUndefined(flags.stateDir))
  const state = yield* StateReport.findings(directory)
  const { path, reading, servers, statuses } = yield* Effect.gen(function* () {
    const { path, read } = yield* SettingsFile
    return {
      statuses: yield* (yield* ProviderCatalog).check,
      path,
      reading: yield* read,
      servers: yield* (yield* McpServers.McpServers).list(process.cwd())
    }
  }).pipe(Effect.provide(Layer.provideMerge(McpServers.layer, Run.catalogLayer(directory))))
  const settings = settingsFinding(path, reading)
  const language = yield* LanguageServersFinding.of(reading.settings)
  const rules = yield* RulesFinding.of(directory, process.cwd())
  const sandbox = yield* sandboxFinding
  const lines = [
    `Signalbox ${version}`,
    "",
    ...told({ name: "Node", lines: [`${process.version}, ${process.execPath}`] }),
    ...[...state, settings, rules, sandbox, language].flatMap(told),
    "",
    "Agents",
    ...statuses.flatMap(agentLines),
    ...(servers.length > 0 ? ["", "MCP servers", "", ...servers.flatMap(serverLines)] : [])
  ]
  Terminal.out(fitted(lines.join("\n"), Terminal.width()))
  const anyRuns = statuses.some(({ state }) => state === "ready" || state === "attention")
  process.exitCode =
    anyRuns && [...state, settings, rules, language].every(({ bad }) => bad === undefined)
      ? ExitCode.completed
      : ExitCode.failed
})

const told = ({ lines, name }: StateReport.Finding): ReadonlyArray<string> =>
  lines.map((line, index) => `${(index === 0 ? name : "").padEnd(11)}${line}`)

/** A fault in an agent's entry is reported with that agent. */
const settingsFinding = (path: string, { faults, settings }: SettingsReading): StateReport.Finding => {
  const name = "Settings"
  const wrong = faults.filter((fault) => agentOf(fault) === undefined)
  if (faults.length > 0) {
    return { name, lines: [path, ...wrong.flatMap(({ problem }) => problemText(problem).split("\n"))], bad: true }
  }
  const agents = Object.keys(settings.agents).length
  return {
    name,
    lines: [agents === 0 ? `No agents in ${path}` : `${path}, ${agents} ${agents === 1 ? "agent" : "agents"}`]
  }
}

/** A machine without a sandbox is no fault of its own: agents that want one say so themselves. */
const sandboxFinding = Effect.map(Effect.result(Bubblewrap.find({ writable: [] })), (found): StateReport.Finding => {
  const name = "Sandbox"
  if (Result.isSuccess(found))
    return { name, lines: [`bubblewrap ${found.success.version}, ${found.success.path}: works`] }
  const { cause, evidence, nextSteps } = found.failure.problem
  return {
    name,
    lines: [
      `does not work here: ${cause}`,
      ...(evidence.stderrTail ?? []).map((line) => oneLine(line, 300)),
      ...nextSteps.slice(0, 1).map(({ command, label }) => (command === undefined ? label : `${label}: ${command}`))
    ]
  }
})

const words: Readonly<Record<ProviderStatus["state"], string>> = {
  ready: "ready",
  attention: "can run, but needs something first",
  unavailable: "cannot run",
  checking: "not looked at yet"
}

const checkNames: { readonly [Name in ProviderCheck["name"]]: string } = {
  found: "found",
  version: "version",
  login: "sign in",
  components: "chain"
}

const agentLines = (status: ProviderStatus): ReadonlyArray<string> => [
  "",
  `  ${status.provider.name} (${status.provider.id}): ${words[status.state]}`,
  ...(status.sandbox === undefined ? [] : [`    ${"sandbox".padEnd(8)}${marks.ok} ${status.sandbox}`]),
  ...status.checks.map(
    ({ detail, name, state }) => `    ${checkNames[name].padEnd(8)}${marks[state]} ${oneLine(detail, 300)}`
  ),
  ...problemLines(status)
]

/** Sessions leave out a server that can't be used. Agents run without it. */
const serverLines = (server: McpServerInfo): ReadonlyArray<string> => {
  const { folder, name, problem } = server
  const mark = problem === undefined ? marks.ok : marks.failed
  return [
    `  ${oneLine(name, 60)}: ${stateOf(server)}${folder === undefined ? "" : `, in ${folder}`}`,
    `    ${mark} ${oneLine(problem ?? reachedBy(server), 300)}`
  ]
}

/** The problem without what the checks have reported already, and without steps that only the page can do. */
const problemLines = ({ checks, problem }: ProviderStatus): ReadonlyArray<string> => {
  if (problem === undefined) return []
  const told = checks.some(({ detail }) => detail === problem.cause)
  const nextSteps = problem.nextSteps.filter(({ action }) => action !== "check-again")
  return problemText({ ...problem, cause: told ? "" : problem.cause, nextSteps })
    .split("\n")
    .map((line) => `    ${line}`)
}

const marks = { ok: "✓", attention: "!", failed: "✗", unknown: "?" } as const
