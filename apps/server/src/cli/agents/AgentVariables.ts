/** The variables that `--env` gives an agent. They override the variables of its settings. */
import type { ProviderId, ProviderOptions, ProviderRef } from "@signalbox/contracts/Provider"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { display } from "effect/process/CommandLine"
import * as Run from "../../compose/Run.ts"
import type { Variables } from "../../provider/drivers/Driver.ts"
import { driverOf, Drivers } from "../../provider/drivers/Drivers.ts"
import { usage, type UsageError } from "../terminal/Failure.ts"

/** Reads every `--env`. The last value of a name counts. No message quotes a value: it may be a secret. */
export const parsed = (command: string, texts: ReadonlyArray<string>): Effect.Effect<Variables, UsageError> => {
  const pairs = texts.map((text) => [text.slice(0, Math.max(0, text.indexOf("="))), text] as const)
  const nameless = pairs.findIndex(([name]) => name === "")
  if (nameless !== -1) {
    const which = texts.length === 1 ? "what was given has" : `number ${nameless + 1} of ${texts.length} has`
    return usage(command, `--env takes NAME=VALUE, and ${which} no name before a =. Put the variable's name there.`)
  }
  return Effect.succeed(Object.fromEntries(pairs.map(([name, text]) => [name, text.slice(name.length + 1)])))
}

interface Agent {
  readonly provider: ProviderRef
  readonly options: ProviderOptions
}

/** Adds the variables of `--env` to how the agent is started. */
export const given = Effect.fnUntraced(function* <A extends Agent>(
  command: string,
  agent: A,
  variables: Variables
): Effect.fn.Return<A, UsageError> {
  if (Object.keys(variables).length === 0) return agent
  const { withVariables } = driverOf(yield* Drivers, agent.provider.kind)
  const options = withVariables(agent.options, variables)
  if (Result.isSuccess(options)) return { ...agent, options: options.success }
  return yield* usage(command, `--env: ${options.failure}. Leave it out.`)
})

/** Adds the variables of `--env` to one agent of the catalogue. All other agents stay as they are. */
export const amending = Effect.fnUntraced(function* (
  command: string,
  directory: string,
  id: ProviderId,
  texts: ReadonlyArray<string>
) {
  const variables = yield* parsed(command, texts)
  const found = (yield* Run.offered(directory)).find(({ provider }) => provider.id === id)
  // An agent that is missing or can't be started is reported by the command that asks for it.
  if (found === undefined || found.problem !== undefined) return unchanged
  const { options } = yield* given(command, found, variables)
  const amended: Run.Amended = (one) => (one.provider.id === id ? { ...one, options } : one)
  return amended
})

const unchanged: Run.Amended = (one) => one

/** The `--env` flags to print in a command, without values and followed by a space. */
export const flagsOf = (variables: Variables): string =>
  Object.keys(variables)
    .map((name) => `--env ${display([`${name}=…`])} `)
    .join("")
