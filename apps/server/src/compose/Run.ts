/** What `run` and `doctor` are made of: adapters alone, without server and without database. */
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { builtInProviders } from "../provider/Layers/BuiltInProviders.ts"
import * as ProviderCatalog from "../provider/Layers/ProviderCatalog.ts"
import * as ProviderSessionDirectory from "../provider/Layers/ProviderSessionDirectory.ts"
import * as Tape from "../tape/Tape.ts"
import * as Adapters from "./Adapters.ts"

/** The agents that can be named. Nothing is looked up for it: a run finds out about its own agent by starting it. */
export const offered = builtInProviders

/** `tape`: the file that everything is recorded in, absolute. */
export const layer = (options: { readonly tape: Option.Option<string> }) =>
  Adapters.layer.pipe(
    Layer.provide([
      Option.match(options.tape, { onNone: () => Tape.layerDisabled, onSome: (path) => Tape.layerFile({ path }) }),
      ProviderSessionDirectory.layerMemory
    ])
  )

export const catalogLayer = (stateDirectory: string) =>
  ProviderCatalog.layer(stateDirectory).pipe(Layer.provide(layer({ tape: Option.none() })))
