/** The clients of this server, and their connections. */
import * as Clients from "@signalbox/loopback/Clients"
import * as Connections from "@signalbox/loopback/Connections"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export class ClientRegistry extends Context.Service<
  ClientRegistry,
  {
    readonly clients: Clients.Clients
    readonly connections: Connections.Connections
    /** The file that keeps the clients. */
    readonly file: string
  }
>()("@signalbox/server/http/ClientRegistry") {}

export interface Options {
  readonly file: string
  /** The file of browsers of an earlier version. */
  readonly earlier: string
}

export const layer = ({ earlier, file }: Options) =>
  Layer.effect(
    ClientRegistry,
    Effect.gen(function* () {
      const runFork = Effect.runForkWith(yield* Effect.context())
      const warn = (message: string) => void runFork(Effect.logWarning(message))
      const clients = Clients.open(file, { earlier, warn })
      return { clients, connections: yield* Connections.make(clients), file }
    })
  )
