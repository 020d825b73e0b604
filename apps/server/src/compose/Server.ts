/** The server, put together. From the bottom: the lock, the database, the agents, the threads, and last the open port. */
import * as Layer from "effect/Layer"
import * as HttpApp from "../http/HttpApp.ts"
import * as RpcHandlers from "../http/RpcHandlers.ts"
import * as ThreadsLocal from "../orchestration/ThreadsLocal.ts"
import * as ProviderSessionStore from "../persistence/ProviderSessionStore.ts"
import * as Sqlite from "../persistence/Sqlite.ts"
import * as StateLock from "../persistence/StateLock.ts"
import * as ThreadStore from "../persistence/ThreadStore.ts"
import * as ProviderCatalog from "../provider/Layers/ProviderCatalog.ts"
import * as ProviderService from "../provider/Layers/ProviderService.ts"
import * as ProviderSessionDirectory from "../provider/Layers/ProviderSessionDirectory.ts"
import { inRepository } from "../Repository.ts"
import * as Tape from "../tape/Tape.ts"
import * as Adapters from "./Adapters.ts"
import { databaseIn, tapesIn } from "./StateDirectory.ts"

export interface Options extends Omit<HttpApp.Options, "webRoot"> {
  /** Absolute. */
  readonly stateDirectory: string
  readonly version: string
}

const webRoot = inRepository("apps", "web", "dist")

export const layer = ({ stateDirectory, version, ...listen }: Options) => {
  const database = Sqlite.layer(databaseIn(stateDirectory)).pipe(Layer.provide(StateLock.layer(stateDirectory)))
  const directory = ProviderSessionDirectory.layer.pipe(Layer.provide(ProviderSessionStore.layer))
  const agents = ProviderService.layer.pipe(
    Layer.provideMerge(ProviderCatalog.layer(stateDirectory)),
    Layer.provideMerge(Adapters.layer),
    Layer.provide(directory),
    Layer.provide(Tape.layer({ folder: tapesIn(stateDirectory) }))
  )
  const threads = ThreadsLocal.layer.pipe(Layer.provideMerge(agents), Layer.provide(ThreadStore.layer))
  return HttpApp.layer({ ...listen, webRoot }).pipe(
    Layer.provide(RpcHandlers.layer({ version, cwd: process.cwd() })),
    Layer.provide(threads),
    Layer.provide(database)
  )
}
