/**
 * Chooses the components of a chain by what its client and its agent can do already.
 *
 * A feature is a component, and what it stands on: a *primitive*, which its client or an adapter before it has to offer. Source: Symposium,
 * "capability-driven assembly" and "adapters".
 */
import type { JsonObject } from "@signalbox/acp/McpOverAcp"
import * as MetaCapability from "@signalbox/acp/MetaCapability"
import type { Component } from "./Component.ts"

/** Offers a primitive to the components behind it, where the client does not. */
export interface Adapter {
  /** The key in `_meta.symposium` of the client's capabilities, such as `ide_operations`. */
  readonly primitive: string
  readonly component: Component
}

/** Something that a chain can do for its client or its agent, which settings switch on or off. */
export interface Feature {
  readonly component: Component
  readonly isEnabled: boolean
  /** What it stands on. Two features that stand on the same primitive share the first one's adapter. */
  readonly adapter?: Adapter | undefined
}

/** Stands directly before the agent, where the agent lacks something. */
export interface Bridge {
  readonly component: Component
  /** Why it is needed, as a clause: `the agent takes no MCP servers over ACP`. Undefined if it is not. */
  readonly neededBecause: (agent: JsonObject) => string | undefined
}

/** A component at its place, and why it is there. */
export interface Placed {
  readonly component: Component
  readonly role: "adapter" | "component" | "bridge"
  /** A clause for people: `the client lacks ide_operations`. */
  readonly because: string
}

export interface Gaps {
  readonly client: MetaCapability.Capabilities | undefined
  /** The agent's answer to `initialize`. Without one, every bridge is put in, and passes on what it need not change. */
  readonly agent: JsonObject | undefined
}

/** The components in their order, nearest to the client first: features as they are declared, each adapter before its feature, bridges last. */
export const of = (
  gaps: Gaps,
  features: ReadonlyArray<Feature>,
  bridges: ReadonlyArray<Bridge> = []
): ReadonlyArray<Placed> => {
  const offered = new Set<string>()
  const placed: Array<Placed> = []
  for (const { adapter, component, isEnabled } of features) {
    if (!isEnabled) continue
    if (
      adapter !== undefined &&
      !offered.has(adapter.primitive) &&
      !MetaCapability.has(gaps.client, adapter.primitive)
    ) {
      offered.add(adapter.primitive)
      placed.push({ component: adapter.component, role: "adapter", because: `the client lacks ${adapter.primitive}` })
    }
    placed.push({ component, role: "component", because: "it is switched on" })
  }
  for (const { component, neededBecause } of bridges) {
    const because = gaps.agent === undefined ? "the agent was not asked what it lacks" : neededBecause(gaps.agent)
    if (because !== undefined) placed.push({ component, role: "bridge", because })
  }
  return placed
}
