/** The components of a chain before any of them is made: programs and built-in components, each with a name of its own. */
import * as BuiltInComponents from "@signalbox/conductor/components/BuiltInComponents"
import * as PlannedComponent from "@signalbox/conductor/components/PlannedComponent"
import * as Redaction from "@signalbox/redaction/Redaction"
import * as Effect from "effect/Effect"
import { display } from "effect/process/CommandLine"
import * as Result from "effect/Result"
import { oneLine } from "../../base/Plain.ts"
import { type FlagUse, usesOf } from "../Arguments.ts"
import * as CommandWords from "@signalbox/process/CommandWords"
import { usage, type UsageError } from "../terminal/Failure.ts"
import * as Terminal from "../terminal/Terminal.ts"

export interface ChainPlan {
  /** Nearest to the client first. */
  readonly proxies: ReadonlyArray<PlannedComponent.PlannedComponent>
  /** Absent in proxy mode. */
  readonly agent?: PlannedComponent.PlannedProgram | undefined
  /** False if no bridge may be added. */
  readonly wantsBridge?: boolean | undefined
}

/** Whether components may declare MCP servers which only a bridge can bring to the agent. Whoever names the bridge has placed it. */
export const mayNeedBridge = ({ proxies, wantsBridge = true }: ChainPlan): boolean =>
  wantsBridge && PlannedComponent.mayNeedBridge(proxies)

/** Flags that put a component into a chain. */
const chainFlags = ["--component", "--proxy"]

/** A program by its words. Its name is its command line, without secrets. */
export const program = (
  [command = "", ...args]: ReadonlyArray<string>,
  { env = {}, name, proxyDialect }: Partial<Pick<PlannedComponent.PlannedProgram, "name" | "env" | "proxyDialect">> = {}
): PlannedComponent.PlannedProgram => ({
  type: "program",
  name: name ?? display(Redaction.argv([command, ...args])),
  command,
  args,
  env,
  proxyDialect
})

/** A built-in component. Fails with a sentence, and with the components that there are if this is none of them. */
export const builtIn = (
  component: string,
  args: ReadonlyArray<string>,
  name: string = component
): Result.Result<
  PlannedComponent.PlannedBuiltIn,
  { readonly words: string; readonly offered: ReadonlyArray<string> }
> => {
  const found = BuiltInComponents.find(component)
  if (found === undefined) {
    const words = `There is no component ${JSON.stringify(oneLine(component, 80))}. The components are:`
    return Result.fail({
      words,
      offered: BuiltInComponents.all.map((one) => `${one.name}  (${BuiltInComponents.described(one)})`)
    })
  }
  const log = (line: string) => Terminal.err(`${oneLine(name, 80)}: ${oneLine(line, 1000)}`)
  return Result.mapError(PlannedComponent.builtIn(found, name, { args, log }), (words) => ({
    words: `${component}: ${words}`,
    offered: []
  }))
}

const planned = (
  command: string,
  { flag, value }: FlagUse
): Effect.Effect<PlannedComponent.PlannedComponent, UsageError> => {
  const words = CommandWords.split(value)
  if (Result.isFailure(words))
    return Effect.fail(usage(command, `${flag} ${JSON.stringify(oneLine(value, 400))}: ${words.failure}.`))
  if (flag === "--proxy") return Effect.succeed(program(words.success))
  const [component = "", ...args] = words.success
  return Effect.fromResult(
    Result.mapError(builtIn(component, args), ({ offered, words }) => usage(command, `--component: ${words}`, offered))
  )
}

/** The proxies that flags name, in the order of the command line's words. */
export const proxiesOf = (
  command: string,
  args: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<PlannedComponent.PlannedComponent>, UsageError> =>
  Effect.forEach(usesOf(args, chainFlags), (use) => planned(command, use))

/**
 * Gives programs of the same name a number: `a`, `a (2)`. Fails if a built-in component is there twice, or a name that was
 * given by hand.
 *
 * @param given names that people chose
 */
export const named = (
  command: string,
  { agent, proxies, wantsBridge }: ChainPlan,
  given: ReadonlySet<string> = new Set()
): Effect.Effect<ChainPlan, UsageError> => {
  const taken = new Set<string>()
  const twice: Array<string> = []
  const numbered = <One extends PlannedComponent.PlannedComponent>(one: One): One => {
    if (taken.has(one.name) && (one.type === "built-in" || given.has(one.name))) twice.push(one.name)
    let name = one.name
    for (let count = 2; taken.has(name); count += 1) name = `${one.name} (${count})`
    taken.add(name)
    return { ...one, name }
  }
  const plan: ChainPlan = { proxies: proxies.map(numbered), wantsBridge, ...(agent && { agent: numbered(agent) }) }
  const [first] = twice
  return first === undefined
    ? Effect.succeed(plan)
    : Effect.fail(usage(command, `The chain names ${oneLine(first, 80)} twice. Leave one of them out.`))
}
