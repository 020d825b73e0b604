/** Puts the bridge into a chain by itself: directly before an agent that takes no MCP servers over ACP. */
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

const objectIn = (text: string | undefined): McpOverAcp.JsonObject =>
  McpOverAcp.objectOf(text === undefined ? undefined : JSON.parse(text))

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
        client: McpOverAcp.objectOf(objectIn(params)["clientCapabilities"]),
        agent: "result" in answer ? objectIn(answer.result) : undefined
      }
      const features = proxies.map((proxy) => ({ component: proxy, isEnabled: true }))
      const placed = Assembly.of(gaps, features, [added])
      return { proxies: placed.map((one) => one.component), agent: component }
    })
