/** The components that the settings name, before any of them is started: each with a name of its own in its chain. */
import * as BuiltInComponents from "@signalbox/conductor/components/BuiltInComponents"
import * as Planned from "@signalbox/conductor/components/PlannedComponent"
import type { ChainComponent } from "@signalbox/contracts/ChainConfig"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ComponentInfo } from "@signalbox/contracts/SessionChain"
import * as Redaction from "@signalbox/redaction/Redaction"
import { display } from "effect/process/CommandLine"
import * as Result from "effect/Result"
import { oneLine } from "../../base/Plain.ts"

/** Most characters of a name. */
const longestName = 80

/** The command line of a program, without secrets. */
export const commandLineOf = ({
  args = [],
  command
}: {
  readonly command: string
  readonly args?: ReadonlyArray<string>
}) => display(Redaction.argv([command, ...args]))

/** The name of a component for people, as the settings give it. */
const nameOf = (entry: ChainComponent): string =>
  oneLine(entry.name ?? ("component" in entry ? entry.component : commandLineOf(entry)), longestName)

/** Takes a line that a component says to people. */
export type Log = (name: string, line: string) => void

/**
 * Plans the components of a session, nearest to people first. Fails with a sentence that names the component at fault.
 *
 * @param chosen the names that a thread has chosen, in its order; by default those that the settings switch on
 */
export const plan = (
  entries: ReadonlyArray<ChainComponent>,
  chosen: ReadonlyArray<string> | undefined,
  log: Log
): Result.Result<ReadonlyArray<Planned.PlannedComponent>, string> => {
  const byName = new Map(entries.map((entry) => [nameOf(entry), entry]))
  if (byName.size < entries.length) {
    const names = entries.map(nameOf)
    const twice = names.find((name, at) => names.indexOf(name) !== at)
    return Result.fail(`The settings name the component ${twice} twice. Give one of them another name.`)
  }
  const wanted = chosen ?? entries.filter(({ disabled }) => disabled !== true).map(nameOf)
  return Result.all(
    wanted.map((name) => {
      const entry = byName.get(name)
      return entry === undefined
        ? Result.fail(`The settings have no component ${oneLine(name, longestName)} any more.`)
        : plannedOf(name, entry, log)
    })
  )
}

const plannedOf = (name: string, entry: ChainComponent, log: Log): Result.Result<Planned.PlannedComponent, string> => {
  if (!("component" in entry)) {
    const { args = [], command, env = {}, proxyDialect } = entry
    return Result.succeed({ type: "program", name, command, args, env, proxyDialect })
  }
  const found = BuiltInComponents.find(entry.component)
  if (found === undefined) {
    const offered = BuiltInComponents.all.map((one) => one.name).join(", ")
    return Result.fail(`There is no component ${oneLine(entry.component, longestName)}. There are: ${offered}.`)
  }
  const options = { args: entry.args ?? [], log: (line: string) => log(name, line) }
  return Result.mapError(Planned.builtIn(found, name, options), (words) => `${name}: ${words}`)
}

/** Whether one of them stands on a capability of its client. What a program stands on is not known. */
export const standsOn = (planned: ReadonlyArray<Planned.PlannedComponent>, capability: string): boolean =>
  planned.some((one) => one.type === "built-in" && one.adapter?.primitive === capability)

/** The problem of components that can't be planned, for people. */
export const problemOf = (fault: string): Problem => ({
  code: "config-invalid",
  title: "Its components can’t be started.",
  cause: fault,
  evidence: {},
  nextSteps: [{ action: "check-again", label: "Correct the settings, or choose other components for the thread" }]
})

/** The components as people see them. */
export const infos = (entries: ReadonlyArray<ChainComponent>): ReadonlyArray<ComponentInfo> => {
  const names = entries.map(nameOf)
  return entries.map((entry, at): ComponentInfo => {
    const name = names[at] ?? ""
    const planned = plannedOf(name, entry, () => {})
    const isTwice = names.indexOf(name) !== at
    const problem = isTwice
      ? "Another component has this name."
      : Result.isFailure(planned)
        ? planned.failure
        : undefined
    return {
      name,
      enabled: entry.disabled !== true,
      ...("component" in entry ? { component: entry.component } : { commandLine: commandLineOf(entry) }),
      ...(Result.isSuccess(planned) &&
        planned.success.type === "built-in" && { summary: planned.success.component.summary }),
      ...(problem !== undefined && { problem })
    }
  })
}
