/** The open connections of browsers: one that is shut out loses its own within seconds. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Socket } from "node:net"
import type { Browsers, Digest } from "./Browsers.ts"

export interface Connections {
  /** `browser`: whose it is; programs have none. */
  readonly add: (socket: Socket, browser: Digest | undefined) => void
}

/** How long a browser that was shut out may still be connected. */
const lookEvery = "2 seconds"

export const make = Effect.fnUntraced(function* (
  browsers: Browsers
): Effect.fn.Return<Connections, never, Scope.Scope> {
  const open = new Map<Socket, Digest>()
  const look = Effect.sync(() => {
    const now = Date.now()
    for (const [socket, browser] of open) if (!browsers.isIn(browser, now)) socket.destroy()
  })
  yield* Effect.sleep(lookEvery).pipe(Effect.andThen(look), Effect.forever, Effect.forkScoped)
  return {
    add: (socket, browser) => {
      if (browser === undefined) return
      open.set(socket, browser)
      socket.once("close", () => open.delete(socket))
    }
  }
})
