/** A component of a chain before it is started: a program, or one that comes with Signalbox. */
import type { ProxyDialect } from "@signalbox/acp/ProxyDialect"
import * as Result from "effect/Result"
import type { BuiltInComponent, Host, Options, Run } from "../BuiltInComponent.ts"
import * as Component from "../Component.ts"
import { bridge } from "./bridge/BridgeComponent.ts"

/** A program of people. */
export interface PlannedProgram {
  readonly type: "program"
  /** Unique in its chain. */
  readonly name: string
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** Variables besides those that it inherits. */
  readonly env: Readonly<Record<string, string>>
  /** The spelling of the proxy protocol that it speaks. Undefined: it is found out. */
  readonly proxyDialect?: ProxyDialect | undefined
}

/** A component that comes with Signalbox, with its arguments. */
export interface PlannedBuiltIn {
  readonly type: "built-in"
  /** Unique in its chain. */
  readonly name: string
  readonly component: BuiltInComponent
  readonly run: Run
  /** What it stands on, and what runs where the client does not offer that. */
  readonly adapter?: { readonly primitive: string; readonly name: string; readonly run: Run } | undefined
}

export type PlannedComponent = PlannedProgram | PlannedBuiltIn

/** Plans a built-in component with its adapter. Fails with a sentence that says what is wrong with the arguments. */
export const builtIn = (
  component: BuiltInComponent,
  name: string,
  options: Options
): Result.Result<PlannedBuiltIn, string> =>
  Result.gen(function* () {
    const run = yield* component.make(options)
    if (component.adapter === undefined) return { type: "built-in", name, component, run }
    const { component: beside, primitive } = component.adapter
    const adapter = { primitive, name: `${name} (adapter)`, run: yield* beside.make(options) }
    return { type: "built-in", name, component, run, adapter }
  })

/** A planned component that runs in this process. */
export const inProcess = ({ adapter, name, run }: PlannedBuiltIn, host: Host): Component.Component => ({
  ...Component.inProcess(name, (link) => run(link, host)),
  ...(adapter !== undefined && {
    adapter: {
      primitive: adapter.primitive,
      component: Component.inProcess(adapter.name, (link) => adapter.run(link, host))
    }
  })
})

/** Whether components may offer MCP servers which only a bridge can bring to the agent, and nobody has placed one. */
export const mayNeedBridge = (proxies: ReadonlyArray<PlannedComponent>): boolean =>
  proxies.some((one) => one.type === "program" || one.component.offersServers) &&
  !proxies.some((one) => one.type === "built-in" && one.component === bridge)
