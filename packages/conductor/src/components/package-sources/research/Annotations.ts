/** What all tools here have in common, as MCP says it. */
import * as Context from "effect/Context"
import * as Tool from "effect/ai/Tool"

/** They change nothing, and may ask a registry. */
export const readOnly = Context.make(Tool.Readonly, true).pipe(
  Context.add(Tool.Destructive, false),
  Context.add(Tool.Idempotent, true),
  Context.add(Tool.OpenWorld, true)
)
