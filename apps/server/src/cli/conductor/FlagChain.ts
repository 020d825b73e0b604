/** The chain that the flags of `signalbox conductor agent` or `proxy` mean: by themselves, or by a file. */
import type { Mode } from "@signalbox/conductor/Front"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { oneLine } from "../../base/Plain.ts"
import { behindDashes } from "../Arguments.ts"
import { usage } from "../terminal/Failure.ts"
import * as ChainFile from "./ChainFile.ts"
import * as ChainPlan from "./ChainPlan.ts"

export interface FlagChainFlags {
  /** The words behind the flags: the agent's, if `--` is before them. */
  readonly words: ReadonlyArray<string>
  readonly config: Option.Option<string>
  /** False if no bridge may be added. Proxy mode adds none. */
  readonly bridge?: boolean
}

/** The agent behind `--`. Other words are refused: they would be taken for a part of it. */
const agentWords = Effect.fnUntraced(function* (command: string, words: ReadonlyArray<string>) {
  const agent = behindDashes(process.argv.slice(2)) ?? []
  if (agent[0] === "") return yield* usage(command, "The agent behind -- has no name.")
  const [stray] = words.length > agent.length ? words : []
  return stray === undefined
    ? agent
    : yield* usage(command, `${JSON.stringify(oneLine(stray, 80))} is not expected here. Put -- before the agent.`)
})

export const planOf = Effect.fn("FlagChain.planOf")(function* (command: string, mode: Mode, flags: FlagChainFlags) {
  const words = yield* agentWords(command, flags.words)
  const proxies = yield* ChainPlan.proxiesOf(command, process.argv.slice(2))
  const file = Option.isSome(flags.config) ? yield* ChainFile.read(command, flags.config.value) : undefined
  if (file !== undefined && proxies.length > 0)
    return yield* usage(command, "--config names the components. Leave out --component and --proxy, or --config.")
  if (file?.agent !== undefined && words.length > 0)
    return yield* usage(
      command,
      "The file of --config and the words behind -- both name the agent. Leave out one of them."
    )
  const agent = words.length > 0 ? ChainPlan.program(words) : file?.agent
  if (mode === "agent" && agent === undefined)
    return yield* usage(command, "There is no agent. Name it behind --, as in: … -- AGENT ARGS")
  if (mode === "proxy" && agent !== undefined)
    return yield* usage(command, "A chain in proxy mode has no agent: its outer conductor has it. Leave it out.")
  const wantsBridge = flags.bridge !== false && file?.wantsBridge !== false
  return yield* ChainPlan.named(command, { proxies: file?.proxies ?? proxies, agent, wantsBridge }, file?.given)
})
