/** Which agent a command means, by `--provider` or `--agent`, and in which folder. */
import { ProviderId, type ProviderOptions, type ProviderRef } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { display } from "effect/process/CommandLine"
import { basename } from "node:path"
import * as Redaction from "@signalbox/redaction/Redaction"
import { driverOf, Drivers } from "../../provider/drivers/Drivers.ts"
import * as DriverChoice from "../../provider/drivers/DriverChoice.ts"
import * as Run from "../../compose/Run.ts"
import * as AgentVariables from "../agents/AgentVariables.ts"
import * as CommandWords from "@signalbox/process/CommandWords"
import { failedWith, usage } from "../terminal/Failure.ts"
import { unlessSignalled } from "../terminal/Signals.ts"

export interface AgentFlags {
  readonly provider: Option.Option<string>
  readonly agent: Option.Option<string>
  /** Variables for the agent, each as NAME=VALUE. */
  readonly env: ReadonlyArray<string>
}

/**
 * `agentFlags`: the flags that name the same agent in another command, followed by a space. `directory`: the state
 * folder. `cwd`: the absolute folder that the agent starts in, if it is known.
 */
export const agentOf = Effect.fnUntraced(function* (
  command: string,
  { agent, env, provider }: AgentFlags,
  directory: string,
  cwd?: string
) {
  const variables = yield* AgentVariables.parsed(command, env)
  const variableFlags = AgentVariables.flagsOf(variables)
  if (Option.isSome(agent)) {
    if (Option.isSome(provider)) {
      return yield* usage(command, "--provider and --agent both name the agent; give one of them.")
    }
    const words = CommandWords.split(agent.value)
    if (Result.isFailure(words)) {
      return yield* usage(command, `--agent ${JSON.stringify(agent.value)}: ${words.failure}.`)
    }
    const [program = "", ...args] = words.success
    const ref: ProviderRef = { id: ProviderId.make("custom"), kind: "acp", name: basename(program), simulated: false }
    const options: ProviderOptions = { acp: { command: program, args } }
    const one = yield* AgentVariables.given(command, { provider: ref, options }, variables)
    const { provider: chosen } = yield* kindKnown(one, { cwd })
    const agentFlags = `--agent ${display([agent.value])} ${variableFlags}`
    return { provider: chosen, providerOptions: one.options, agentFlags }
  }
  const id = Option.getOrElse(provider, () => "cursor")
  const offered = yield* Run.offered(directory)
  const found = offered.find((one) => one.provider.id === id)
  if (found === undefined) {
    return yield* usage(
      command,
      `There is no agent ${JSON.stringify(id)}. The agents are:`,
      offered.filter(({ hidden }) => !hidden).map((one) => `${one.provider.id}  (${one.provider.name})`)
    )
  }
  if (found.problem !== undefined) return yield* failedWith(found.problem)
  const one = yield* AgentVariables.given(command, found, variables)
  const { options, provider: chosen } = yield* kindKnown(one, { registryId: one.registryId, cwd })
  return {
    provider: chosen,
    providerOptions: options,
    agentFlags: `${id === "cursor" ? "" : `--provider ${id} `}${variableFlags}`
  }
})

/** This may run the agent's program to read its version. A signal ends that program too. */
const kindKnown = <Agent extends DriverChoice.Agent>(agent: Agent, origin: DriverChoice.Origin) =>
  unlessSignalled(DriverChoice.chosen(agent, origin))

export interface ChosenAgent {
  readonly provider: ProviderRef
  readonly providerOptions: ProviderOptions
  readonly agentFlags: string
}

/** Changes how the agent is started by the values of `--option`, each written NAME=VALUE. */
export const withOptions = Effect.fnUntraced(function* (agent: ChosenAgent, options: ReadonlyArray<string>) {
  const { withOption } = driverOf(yield* Drivers, agent.provider.kind)
  let { agentFlags, providerOptions } = agent
  const values: Array<string> = []
  for (const text of options) {
    const at = text.indexOf("=")
    if (at < 1) return yield* usage("run", `--option ${JSON.stringify(text)} is not of the form NAME=VALUE.`)
    const name = text.slice(0, at)
    const value = text.slice(at + 1)
    const changed = withOption(providerOptions, name, value)
    if (Result.isFailure(changed)) return yield* usage("run", `--option: ${changed.failure}.`)
    providerOptions = changed.success
    values.push(value)
    // The value may belong to a secret flag before it.
    const shown = name.startsWith("env.") ? "…" : (Redaction.argv(values).at(-1) ?? "")
    agentFlags += `--option ${display([`${name}=${shown}`])} `
  }
  return { ...agent, providerOptions, agentFlags }
})
