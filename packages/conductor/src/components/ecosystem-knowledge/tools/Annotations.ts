/** What the tools of this component have in common, as models learn it. */
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import * as Tool from "effect/ai/Tool"

/** A text with a description for models. */
export const described = (description: string) => Schema.String.annotate({ description })

/** Marks a tool that changes nothing, and reads on this machine only. */
export const readOnly = Context.make(Tool.Readonly, true).pipe(
  Context.add(Tool.Destructive, false),
  Context.add(Tool.Idempotent, true),
  Context.add(Tool.OpenWorld, false)
)
