/** The wire of a session: what went between the parts of its chain. */
import type { Refused } from "@signalbox/contracts/Refused"
import type { WireAddress, WireFrame, WireLine } from "@signalbox/contracts/Wire"
import * as Effect from "effect/Effect"
import { following, persistently } from "./calls.ts"
import { reportDefect } from "./link.ts"

/** `begin`: the frames behind it begin with the latest rows again. */
export type WireNews = WireFrame | { readonly type: "begin" }

/** Watches a wire until the signal ends it. Another connection begins again, and so does a record that is over, after a pause. */
export const followWire = (
  address: WireAddress & { readonly most: number },
  onNews: (news: ReadonlyArray<WireNews>) => void,
  onRefused: (refused: Refused) => void,
  signal: AbortSignal
): void => {
  const follow = following(
    (client) => {
      onNews([{ type: "begin" }])
      return client.watchWire(address)
    },
    (frames) => onNews(frames)
  ).pipe(Effect.catch((refused) => Effect.sync(() => onRefused(refused))))
  Effect.runFork(Effect.catchCause(follow, reportDefect), { signal })
}

/** Lines of the record, as far as they are there. Rejects with `Refused`. */
export const readWire = (
  address: WireAddress & { readonly lines: ReadonlyArray<number> },
  signal: AbortSignal
): Promise<ReadonlyArray<WireLine>> =>
  Effect.runPromise(
    persistently((client) => client.readWire(address)),
    { signal }
  )
