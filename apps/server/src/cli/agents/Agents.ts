/** `signalbox agents`: the agents that threads can start with, and the user's own entries in the settings. */
import type { AcpOptions, PermissionProfile, ProviderStatus } from "@signalbox/contracts/Provider"
import { Refused } from "@signalbox/contracts/Refused"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { resolve } from "node:path"
import * as Run from "../../compose/Run.ts"
import { ProviderCatalog } from "../../provider/Services/ProviderCatalog.ts"
import { SettingsFile } from "../../settings/SettingsFile.ts"
import * as SettingsText from "../../settings/SettingsText.ts"
import { ExitCode } from "../terminal/ExitCode.ts"
import { failedWith, usage } from "../terminal/Failure.ts"
import { jsonText } from "../terminal/JsonText.ts"
import { oneLine } from "../../base/Plain.ts"
import { problemShown } from "../terminal/ProblemText.ts"
import * as StateFolder from "../server/StateFolder.ts"
import * as Stdout from "../terminal/Stdout.ts"
import { type Column, table } from "../terminal/Table.ts"
import * as Terminal from "../terminal/Terminal.ts"

type Common = { readonly stateDir: Option.Option<string> }

export const listAgents = Effect.fn("Agents.list")(function* (flags: Common & { readonly json: boolean }) {
  const { faults, statuses } = yield* Effect.gen(function* () {
    const statuses = yield* (yield* ProviderCatalog).check
    return { statuses, faults: (yield* (yield* SettingsFile).read).faults }
  }).pipe(Effect.provide(Layer.unwrap(Effect.map(StateFolder.of(flags.stateDir), Run.catalogLayer))))
  const lines = flags.json ? statuses.map((status) => jsonText(status)) : table(columns, statuses)
  yield* Stdout.unlessNobodyReads(Stdout.write(lines.map((line) => `${line}\n`).join("")))
  for (const { problem } of faults) Terminal.err(problemShown(problem))
  if (faults.length > 0) process.exitCode = ExitCode.failed
})

const columns: ReadonlyArray<Column<ProviderStatus>> = [
  { heading: "NAME", cell: ({ provider }) => oneLine(provider.id, 30) },
  { heading: "STATE", cell: ({ state }) => state },
  { heading: "SANDBOX", cell: ({ sandbox }) => sandbox ?? "" },
  { heading: "FROM", cell: ({ source }) => source ?? "" },
  { heading: "RUNS", cell: ({ commandLine, path }) => oneLine(commandLine ?? path ?? "", 400) }
]

export interface AddFlags extends Common {
  readonly name: string
  readonly command: ReadonlyArray<string>
  readonly title: Option.Option<string>
  readonly env: ReadonlyArray<string>
  readonly needs: ReadonlyArray<string>
  readonly url: Option.Option<string>
  readonly header: ReadonlyArray<string>
  readonly cwd: Option.Option<string>
  readonly protocol: Option.Option<"1" | "2">
  readonly permissions: Option.Option<PermissionProfile>
  readonly files: Option.Option<NonNullable<AcpOptions["files"]>>
  readonly terminals: boolean
  readonly replace: boolean
}

export const addAgent = Effect.fn("Agents.add")(function* (flags: AddFlags) {
  const { name, replace } = flags
  const entry = yield* entryOf(flags)
  const wrong = SettingsText.wrongIn(name, entry)
  if (wrong.length > 0) return yield* usage("agents add", "This can't be put into the settings.", wrong)
  yield* onSettings(flags, ({ path, put, read }) =>
    Effect.gen(function* () {
      const { faults, settings } = yield* read
      const known = Object.hasOwn(settings.agents, name) || faults.some(({ entry }) => entry[1] === name)
      if (known && !replace) {
        return yield* usage("agents add", `There is an agent ${name} already. To put this in its place, add --replace.`)
      }
      yield* put("agents", name, entry)
      Terminal.err(`${name} is in ${path} now. To use it: signalbox run --provider ${name} "…"`)
    })
  )
})

export const removeAgent = Effect.fn("Agents.remove")(function* (flags: Common & { readonly name: string }) {
  const { name } = flags
  yield* onSettings(flags, ({ path, put, read }) =>
    Effect.gen(function* () {
      const { faults, settings } = yield* read
      const broken = faults.find(({ entry }) => entry.length === 0)
      if (broken !== undefined) return yield* failedWith(broken.problem)
      const wrong = faults.flatMap(({ entry: [section, name] }) => (section === "agents" ? [String(name)] : []))
      const names = [...Object.keys(settings.agents), ...wrong]
      if (!names.includes(name)) {
        return yield* usage("agents remove", `The settings hold no agent ${JSON.stringify(name)}. They hold:`, names)
      }
      yield* put("agents", name, undefined)
      Terminal.err(`${name} is no longer in ${path}.`)
    })
  )
})

const settingsOf = ({ stateDir }: Common) => Layer.unwrap(Effect.map(StateFolder.of(stateDir), Run.settingsLayer))

const onSettings = <A, E>(flags: Common, use: (settings: SettingsFile["Service"]) => Effect.Effect<A, E>) =>
  Effect.flatMap(SettingsFile, use).pipe(
    Effect.catchIf(
      (error) => error instanceof Refused,
      ({ problem }) => failedWith(problem)
    ),
    Effect.provide(settingsOf(flags))
  )

/** Reads texts of the form NAME=VALUE; undefined if there are none. */
const pairs = Effect.fnUntraced(function* (flag: string, texts: ReadonlyArray<string>) {
  const all = new Map<string, string>()
  for (const text of texts) {
    const at = text.indexOf("=")
    if (at < 1) return yield* usage("agents add", `${flag} ${JSON.stringify(text)} is not of the form NAME=VALUE.`)
    all.set(text.slice(0, at), text.slice(at + 1))
  }
  return all.size > 0 ? Object.fromEntries(all) : undefined
})

/** The entry as the settings hold it, with only the members that were given as flags. */
const entryOf = Effect.fnUntraced(function* (flags: AddFlags) {
  const [command, ...args] = flags.command
  const env = yield* pairs("--env", flags.env)
  const headers = yield* pairs("--header", flags.header)
  const members = {
    name: Option.getOrUndefined(flags.title),
    // A relative path refers to the current folder, not to the folder of each thread.
    command: command?.includes("/") ? resolve(command) : command,
    args: args.length > 0 ? args : undefined,
    env,
    url: Option.getOrUndefined(flags.url),
    headers,
    cwd: Option.getOrUndefined(Option.map(flags.cwd, (folder) => resolve(folder))),
    protocol: Option.getOrUndefined(Option.map(flags.protocol, Number)),
    auth: flags.needs.length > 0 ? { env: flags.needs } : undefined,
    permissions: Option.getOrUndefined(flags.permissions),
    files: Option.getOrUndefined(flags.files),
    terminals: flags.terminals || undefined
  }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
})
