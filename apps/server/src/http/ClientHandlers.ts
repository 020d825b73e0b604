/** Handlers of the page's calls about clients. */
import type { ClientId, ClientsReport } from "@signalbox/contracts/ClientList"
import { Refused } from "@signalbox/contracts/Refused"
import type { SignalboxRpc } from "@signalbox/contracts/Rpc"
import * as Clients from "@signalbox/loopback/Clients"
import { messageOf } from "@signalbox/system/SystemError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import type { Headers } from "effect/http/Headers"
import * as Stream from "effect/Stream"
import { ClientRegistry } from "./ClientRegistry.ts"
import * as RpcClients from "./RpcClients.ts"

type Handlers = Pick<
  RpcGroup.HandlersFrom<RpcGroup.Rpcs<typeof SignalboxRpc>>,
  "watchClients" | "inviteClient" | "changeClient" | "revokeClient" | "revokeAllClients"
>

/** How often the list is compared while somebody watches it. The command line may have changed the file. */
const lookEvery = "1 second"

const unkept = (title: string, path: string) => (error: unknown) =>
  new Refused({
    problem: {
      code: "storage",
      title,
      cause: `The file of clients can't be changed: ${messageOf(error)}.`,
      evidence: { path },
      nextSteps: [{ action: "check-again", label: "Make its folder writable, then try again" }]
    }
  })

const noClient = new Refused({
  problem: {
    code: "command-invalid",
    title: "There is no such client.",
    cause: "It was revoked, or its invitation was used or has ended.",
    evidence: {},
    nextSteps: []
  }
})

export const make = Effect.gen(function* () {
  const { clients, connections, file } = yield* ClientRegistry
  const report = Effect.map(Clock.currentTimeMillis, (now): ClientsReport => ({
    ...clients.list(now),
    connected: connections.connected()
  }))
  const found = (there: boolean) => (there ? Effect.void : Effect.fail(noClient))
  /** Ends connections at once. The caller's own ends a moment later, so that the answer comes first. */
  const looked = (id: ClientId, headers: Headers) =>
    Effect.sync(() => {
      if (RpcClients.idOf(headers) !== id) connections.look()
    })
  return {
    watchClients: () =>
      Stream.tick(lookEvery).pipe(
        Stream.mapEffect(() => report),
        Stream.changesWith((one, other) => JSON.stringify(one) === JSON.stringify(other))
      ),
    inviteClient: (wanted) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.try({ try: () => clients.invite(wanted, now), catch: unkept("Nobody was invited.", file) })
      ).pipe(
        Effect.tap(({ invitation: { id, scope } }) =>
          Effect.logInfo(`Client ${id} is invited, with the scope ${scope}`)
        )
      ),
    changeClient: ({ id, ...to }, { headers }) =>
      Effect.try({ try: () => clients.change(id, to), catch: unkept("The client was not changed.", file) }).pipe(
        Effect.flatMap(found),
        Effect.tap(looked(id, headers))
      ),
    revokeClient: ({ id }, { headers }) =>
      Effect.try({ try: () => clients.revoke(id), catch: unkept("The client was not revoked.", file) }).pipe(
        Effect.flatMap(found),
        Effect.tap(Effect.logInfo(`Client ${id} was revoked`)),
        Effect.tap(looked(id, headers))
      ),
    revokeAllClients: () =>
      Effect.try({ try: () => Clients.revokeAll(file), catch: unkept("The clients were not revoked.", file) }).pipe(
        Effect.tap(Effect.logInfo("All clients were revoked"))
      )
  } satisfies Handlers
})
