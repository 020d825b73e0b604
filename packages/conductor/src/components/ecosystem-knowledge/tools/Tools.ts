/** The tools of a session, as far as the settings want them. What is turned off offers none. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as McpServer from "effect/ai/McpServer"
import type { PackageKnowledge } from "../knowledge/Knowledge.ts"
import type { StartedServers } from "../servers/StartedServers.ts"
import type { Settings } from "../Settings.ts"
import * as ContextTools from "./ContextTools.ts"
import * as ListTools from "./ListTools.ts"
import * as ServerTools from "./ServerTools.ts"
import * as SkillTools from "./SkillTools.ts"

type Parts = Pick<Settings, "context" | "servers" | "skills">

const listed = ({ context, skills }: Parts): boolean => skills || context

/** The names of the tools that list and read. */
export const names = (parts: Parts): ReadonlyArray<string> => [
  ...(listed(parts) ? Object.keys(ListTools.toolkit.tools) : []),
  ...(parts.skills ? Object.keys(SkillTools.toolkit.tools) : []),
  ...(parts.context ? Object.keys(ContextTools.toolkit.tools) : []),
  ...(parts.servers ? Object.keys(ServerTools.toolkit.tools) : [])
]

/** The tools, for an MCP server. `knowledge` completes when the dependencies have been read. */
export const registrations = (
  parts: Parts,
  knowledge: Effect.Effect<ReadonlyArray<PackageKnowledge>>,
  started: StartedServers
) =>
  Layer.mergeAll(
    listed(parts) ? McpServer.toolkit(ListTools.toolkit).pipe(Layer.provide(ListTools.layer(knowledge))) : Layer.empty,
    parts.skills ? McpServer.toolkit(SkillTools.toolkit).pipe(Layer.provide(SkillTools.layer(knowledge))) : Layer.empty,
    parts.context
      ? McpServer.toolkit(ContextTools.toolkit).pipe(Layer.provide(ContextTools.layer(knowledge)))
      : Layer.empty,
    parts.servers
      ? McpServer.toolkit(ServerTools.toolkit).pipe(Layer.provide(ServerTools.layer(knowledge, started)))
      : Layer.empty
  )
