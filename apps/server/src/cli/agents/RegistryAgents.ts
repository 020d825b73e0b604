/** `signalbox agents registry`, `install` and `update`: agents of the public registry. */
import {
  type InstallFrame,
  type InstallPlan,
  type RegistryAgent,
  type RegistryListing
} from "@signalbox/contracts/Registry"
import type { NextStep, Problem, ProblemCode } from "@signalbox/contracts/Problem"
import { Refused } from "@signalbox/contracts/Refused"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as CommandLine from "effect/process/CommandLine"
import * as Stream from "effect/Stream"
import * as Registries from "../../compose/Registry.ts"
import * as Run from "../../compose/Run.ts"
import { oneLine, revealedLine } from "../../base/Plain.ts"
import { AgentInstaller } from "../../registry/AgentInstaller.ts"
import { Registry } from "../../registry/Registry.ts"
import { bytesText } from "../terminal/Amount.ts"
import { confirm } from "../terminal/Confirm.ts"
import { failedWith, usage } from "../terminal/Failure.ts"
import { jsonText } from "../terminal/JsonText.ts"
import * as Stdout from "../terminal/Stdout.ts"
import { type Column, table } from "../terminal/Table.ts"
import * as StateFolder from "../server/StateFolder.ts"
import * as Terminal from "../terminal/Terminal.ts"

type Common = { readonly stateDir: Option.Option<string> }

const layerFor = ({ stateDir }: Common) =>
  Layer.unwrap(
    Effect.map(StateFolder.of(stateDir), (folder) =>
      Layer.provideMerge(Registries.layer(folder), Run.settingsLayer(folder))
    )
  )

const inOurWords = <A, E, R>(effect: Effect.Effect<A, E | Refused, R>) =>
  Effect.catchIf(
    effect,
    (error) => error instanceof Refused,
    ({ problem }) => failedWith({ ...problem, nextSteps: problem.nextSteps.map((step) => byFlag(problem, step)) })
  )

/** The page has check boxes for these steps; the command line has flags. */
const byFlag = ({ code }: Problem, step: NextStep): NextStep => {
  const label = step.action === "set-option" ? flags[code] : undefined
  return label === undefined ? step : { ...step, label }
}

const flags: Partial<Record<ProblemCode, string>> = {
  "request-failed": "If you trust its address, add --unverified",
  "config-invalid": "Give it another name with --name, or put it in the place of that one with --replace"
}

const listing = (refresh: boolean) =>
  Effect.flatMap(Registry, (registry) => (refresh ? registry.refresh : registry.list))

export const showRegistry = Effect.fn("RegistryAgents.list")(function* (
  flags: Common & { readonly refresh: boolean; readonly json: boolean }
) {
  const known = yield* inOurWords(Effect.provide(listing(flags.refresh), layerFor(flags)))
  const lines = flags.json ? known.agents.map((agent) => jsonText(agent)) : table(columns, known.agents)
  yield* Stdout.unlessNobodyReads(Stdout.write(lines.map((line) => `${line}\n`).join("")))
  for (const line of known.unreadable) Terminal.err(`Left out: ${oneLine(line, 300)}`)
  Terminal.err(ageOf(known))
})

const ageOf = ({ at, source }: RegistryListing): string =>
  source === "shipped" || at === undefined
    ? "This is what was known when this version of Signalbox was made. To load it again, add --refresh."
    : `As it was on ${new Date(at).toISOString().slice(0, 10)}. To load it again, add --refresh.`

const columns: ReadonlyArray<Column<RegistryAgent>> = [
  { heading: "ID", cell: ({ id }) => oneLine(id, 30) },
  { heading: "VERSION", cell: ({ version = "?" }) => oneLine(version, 20) },
  { heading: "INSTALLED", cell: ({ installed }) => installed.map(({ version }) => oneLine(version, 20)).join(", ") },
  { heading: "CHECKED", cell: ({ plan }) => (plan === undefined ? "" : checkedBy(plan)) },
  { heading: "RUNS", cell: ({ plan, reason = "" }) => oneLine(plan === undefined ? `— ${reason}` : runs(plan), 400) }
]

/**
 * The command line that the agent will run with. A download shows its address, since its future path says nothing yet.
 */
const runs = (plan: InstallPlan): string =>
  plan.way === "binary" ? plan.archive : CommandLine.display([plan.command, ...plan.args])

/** How a download is verified, in words. */
const checkedBy = (plan: InstallPlan): string => {
  if (plan.way !== "binary") return plan.way === "npx" ? "npm" : "uv"
  return plan.sha256 === undefined ? "no checksum" : "sha256"
}

interface Consent {
  readonly yes: boolean
  readonly unverified: boolean
}

export interface InstallFlags extends Common, Consent {
  readonly id: string
  readonly name: Option.Option<string>
  readonly replace: boolean
}

export const installAgent = Effect.fn("RegistryAgents.install")(function* (flags: InstallFlags) {
  const { id, name, replace, unverified } = flags
  yield* Effect.gen(function* () {
    const { plan } = yield* (yield* Registry).plan(id)
    tell(id, plan)
    yield* agree("agents install", "Install it?", flags)
    yield* carryOut({
      id,
      plan,
      ...(Option.isSome(name) && { name: name.value }),
      ...(unverified && { unverified }),
      ...(replace && { replace })
    })
  }).pipe(Effect.provide(layerFor(flags)), inOurWords)
})

export interface UpdateFlags extends Common, Consent {
  readonly names: ReadonlyArray<string>
  readonly refresh: boolean
}

export const updateAgents = Effect.fn("RegistryAgents.update")(function* (flags: UpdateFlags) {
  const { names, refresh, unverified } = flags
  yield* Effect.gen(function* () {
    const { agents } = yield* listing(refresh)
    const installed = agents.flatMap((agent) => agent.installed.map((here) => ({ ...here, agent })))
    const missing = names.filter((name) => !installed.some((one) => one.name === name))
    if (missing.length > 0) {
      return yield* usage(
        "agents update",
        `These agents are not of the registry: ${missing.join(", ")}. Those that are:`,
        installed.map(({ name }) => name)
      )
    }
    const due = installed.flatMap(({ agent: { id, plan }, name, version }) =>
      plan !== undefined && plan.version !== version && (names.length === 0 || names.includes(name))
        ? [{ id, name, plan, version }]
        : []
    )
    if (due.length === 0) return Terminal.err("Nothing to update: they are what the registry has.")
    for (const { name, plan, version } of due) tell(`${name} (${version} now)`, plan)
    yield* agree("agents update", due.length === 1 ? "Update it?" : "Update them?", flags)
    for (const { id, name, plan } of due) yield* carryOut({ id, name, plan, ...(unverified && { unverified }) })
  }).pipe(Effect.provide(layerFor(flags)), inOurWords)
})

/** Prints the whole plan and never cuts it: the person approves exactly this. */
const tell = (title: string, plan: InstallPlan): void => {
  const lines = [
    `${title}, version ${plan.version}`,
    ...(plan.way === "binary"
      ? [
          `  loads  ${plan.archive}`,
          plan.sha256 === undefined
            ? "  check  none: the registry has no checksum, so the download can't be verified"
            : `  check  sha256 ${plan.sha256}`
        ]
      : [
          `  loads  ${plan.package}, by ${plan.command} when it is first run`,
          ...(plan.integrity === undefined
            ? []
            : [`  check  by npm, which had ${plan.integrity} when this was listed`]),
          ...(plan.needs === undefined ? [] : [`  needs  ${plan.needs}`])
        ]),
    `  runs   ${CommandLine.display([plan.command, ...plan.args])}`,
    ...Object.entries(plan.env).map(([name, value]) => `  with   ${name}=${value}`)
  ]
  Terminal.err(lines.map((line) => revealedLine(line)).join("\n"))
}

const agree = (command: string, question: string, { yes }: Consent) =>
  confirm({ command, question, yes, otherwise: "Nothing was installed." })

const carryOut = Effect.fnUntraced(function* (request: Parameters<AgentInstaller["Service"]["install"]>[0]) {
  const { install } = yield* AgentInstaller
  yield* Stream.runForEach(install(request), (frame) => Effect.sync(() => report(frame)))
})

/** On a terminal, the byte count is rewritten on one line. */
const report = (frame: InstallFrame): void => {
  const { isTTY } = process.stderr
  switch (frame.type) {
    case "downloading": {
      const { received, total } = frame
      if (isTTY) Terminal.rewrite(`${bytesText(received)}${total === undefined ? "" : ` of ${bytesText(total)}`}`)
      return
    }
    case "downloaded":
      if (isTTY) Terminal.rewrite("")
      return Terminal.err(
        frame.verified ? "Loaded; its checksum is right." : `Loaded, unchecked: sha256 ${frame.sha256}.`
      )
    case "unpacking":
      return
    case "installed":
      return Terminal.err(
        `${frame.name} ${frame.version} is in the settings. To use it: signalbox run --provider ${frame.name} "…"`
      )
  }
}
