/** Puts into a chain what its client and its agent lack: an adapter before each component that needs one, and the bridge directly before the agent. */
import * as McpOverAcp from "@signalbox/acp/McpOverAcp"
import * as McpSessions from "@signalbox/acp/McpSessions"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Assembly from "../../Assembly.ts"
import * as Component from "../../Component.ts"
import type { Assemble } from "../../Conductor.ts"
import * as Probe from "../../Probe.ts"
import { run } from "./BridgeComponent.ts"

const added: Assembly.Bridge = {
  // People may have a component of their own that is called bridge.
  component: Component.inProcess("bridge (added)", run),
  neededBecause: (answer) => (McpSessions.takesAcp(answer) ? undefined : "the agent takes no MCP servers over ACP")
}

const asPlaced = ({ because, component, role }: Assembly.Placed): Component.Component =>
  role === "component" ? component : { ...component, addedBecause: because }

const objectIn = (text: string | undefined): McpOverAcp.JsonObject =>
  McpOverAcp.objectOf(text === undefined ? undefined : JSON.parse(text))

const featuresOf = (proxies: ReadonlyArray<Component.Component>): ReadonlyArray<Assembly.Feature> =>
  proxies.map((proxy) => ({ component: proxy, isEnabled: true, adapter: proxy.adapter }))

const clientIn = (params: string | undefined) => McpOverAcp.objectOf(objectIn(params)["clientCapabilities"])

/**
 * Adds adapters, and no bridge.
 *
 * @param proxies nearest to the client first
 */
export const assembleAdapters =
  (proxies: ReadonlyArray<Component.Component>, agent: Component.Component | undefined): Assemble<never> =>
  (params) =>
    Effect.sync(() => {
      const placed = Assembly.of({ client: clientIn(params), agent: undefined }, featuresOf(proxies))
      return { proxies: placed.map(asPlaced), ...(agent !== undefined && { agent }) }
    })

/**
 * Asks the agent for its capabilities, and adds the bridge if the agent needs one. The agent that was asked is that of the chain.
 *
 * @param proxies nearest to the client first
 */
export const assemble =
  (proxies: ReadonlyArray<Component.Component>, agent: Component.Component): Assemble<Scope.Scope> =>
  (params, within) =>
    Effect.map(Probe.start(agent, params, within), ({ answer, component }) => {
      const gaps: Assembly.Gaps = {
        client: clientIn(params),
        agent: "result" in answer ? objectIn(answer.result) : undefined
      }
      const placed = Assembly.of(gaps, featuresOf(proxies), [added])
      return { proxies: placed.map(asPlaced), agent: component }
    })
