/** Loads the parts of a component when it runs. They are large, and the command line reads the list of components at each start. */
import type { MessageLink } from "@signalbox/acp/MessageLink"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Host, Run } from "./BuiltInComponent.ts"

/** A module that runs a component, with what its arguments say. */
interface Module<Args extends ReadonlyArray<unknown>> {
  readonly run: (link: MessageLink, ...args: Args) => Effect.Effect<void, never, Scope.Scope>
}

/** Loads the module once the component runs. */
export const of =
  <Args extends ReadonlyArray<unknown>>(load: () => Promise<Module<Args>>, ...args: Args) =>
  (link: MessageLink): Effect.Effect<void, never, Scope.Scope> =>
    Effect.flatMap(Effect.promise(load), ({ run }) => run(link, ...args))

/** Loads a module that also gets the host, behind the arguments. */
export const hosted =
  <Args extends ReadonlyArray<unknown>>(load: () => Promise<Module<[...Args, Host]>>, ...args: Args): Run =>
  (link, host) =>
    Effect.flatMap(Effect.promise(load), ({ run }) => run(link, ...args, host))
