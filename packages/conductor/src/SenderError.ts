/** The error that a component gets for what it wrote itself. It names the component, as the errors of a chain do. */
import type { Refusal } from "@signalbox/acp/RawMessage"

/** Adds the name of the component to the words of an error and to its data. */
export const to =
  (component: string) =>
  ({ code, message }: Refusal): Refusal => ({ code, message: `${component}: ${message}`, data: { component } })
