/** The ways of one view to the server. They belong to the document that has opened them, and end with it. */
import type { RunningServer } from "@signalbox/attach/RunningServer"
import { headersFor } from "@signalbox/attach/RunningServer"
import { addressOf } from "@signalbox/client/Client"
import type { ToView } from "@signalbox/contracts/HostMessage"
import type { Problem } from "@signalbox/contracts/Problem"
import * as Tunnel from "./Tunnel.ts"

export interface Tunnels {
  readonly connect: (connection: string) => void
  readonly frame: (connection: string, data: string) => void
  readonly disconnect: (connection: string) => void
  /** Ends all of them: their document is gone. */
  readonly clear: () => void
}

export interface Options {
  /** Finds the server, or says what is wrong. */
  readonly find: () => Promise<RunningServer | { readonly problem: Problem }>
  readonly post: (message: ToView) => PromiseLike<unknown>
}

export const make = ({ find, post }: Options): Tunnels => {
  /** Undefined: the server is being looked for. */
  const open = new Map<string, Tunnel.Tunnel | undefined>()

  const over = (connection: string, problem?: Problem): void => {
    open.delete(connection)
    void post({ type: "disconnected", connection, ...(problem !== undefined && { problem }) })
  }
  const connect = async (connection: string): Promise<void> => {
    open.set(connection, undefined)
    const found = await find().catch((error: unknown) => ({ problem: ended(String(error)) }))
    // The view may be gone meanwhile, or have given up.
    if (!open.has(connection)) return
    if ("problem" in found) return over(connection, found.problem)
    const tunnel = Tunnel.open(addressOf(found.url), headersFor(found), {
      onOpen: () => void post({ type: "connected", connection }),
      onFrame: (data) => post({ type: "frame", connection, data }),
      onClosed: (reason) => over(connection, reason === undefined ? undefined : ended(reason))
    })
    open.set(connection, tunnel)
  }
  return {
    connect: (connection) => void connect(connection),
    frame: (connection, data) => open.get(connection)?.send(data),
    disconnect: (connection) => {
      open.get(connection)?.close()
      open.delete(connection)
    },
    clear: () => {
      for (const tunnel of open.values()) tunnel?.close()
      open.clear()
    }
  }
}

const ended = (reason: string): Problem => ({
  code: "internal",
  title: "The connection to the Signalbox server ended.",
  cause: reason,
  evidence: {},
  nextSteps: [{ action: "restart", label: "See whether the server still runs" }]
})
