/** The chain of a session: the components between people and its agent, and the agent. */
import * as Schema from "effect/Schema"

/** One part of a chain. */
export const ChainPart = Schema.Struct({
  /** Unique in its chain. */
  name: Schema.String,
  /** `component`: the settings name it. `adapter` and `bridge`: Signalbox has added it, since the client or the agent lacks something. `agent`: the last part. */
  role: Schema.Literals(["component", "adapter", "bridge", "agent"]),
  /** Why an adapter or a bridge was added, as a clause: `the agent takes no MCP servers over ACP`. */
  because: Schema.optionalKey(Schema.String),
  /** The command line of a program of people, without secrets. Missing for what comes with Signalbox. */
  commandLine: Schema.optionalKey(Schema.String),
  /** What a component does that comes with Signalbox, in one line. */
  summary: Schema.optionalKey(Schema.String),
  version: Schema.optionalKey(Schema.String)
})
export type ChainPart = typeof ChainPart.Type

/** Nearest to people first. The agent is last. */
export const SessionChain = Schema.Array(ChainPart)
export type SessionChain = typeof SessionChain.Type

/** The parts, with the version of the agent. Undefined: it is not known. */
export const withAgentVersion = (parts: SessionChain, version: string | undefined): SessionChain =>
  parts.map((part) => (part.role === "agent" && version !== undefined ? { ...part, version } : part))

/** A component that the settings name for an agent. */
export const ComponentInfo = Schema.Struct({
  /** Unique in a list, but for a problem that says so. */
  name: Schema.String,
  /** Whether sessions have it by default. */
  enabled: Schema.Boolean,
  /** The name of a component that comes with Signalbox. */
  component: Schema.optionalKey(Schema.String),
  /** The command line of a program of people, without secrets. */
  commandLine: Schema.optionalKey(Schema.String),
  /** What a component does that comes with Signalbox, in one line. */
  summary: Schema.optionalKey(Schema.String),
  /** Why it can't be started, in a sentence. */
  problem: Schema.optionalKey(Schema.String)
})
export type ComponentInfo = typeof ComponentInfo.Type

/** What passed one part of a chain since its session began. */
export const PartTraffic = Schema.Struct({
  /** The name of the part. */
  name: Schema.String,
  /** Messages between this part and the one before it, in both directions, with answers. */
  messages: Schema.Int,
  /**
   * Milliseconds that this part held a message, as the median of the latest 101 that it passed on. Missing before the tenth, and for the agent.
   */
  heldMs: Schema.optionalKey(Schema.Finite)
})
export type PartTraffic = typeof PartTraffic.Type
