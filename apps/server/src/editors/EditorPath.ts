/** The name that an editor has for a file of a thread. */
import { isWithin } from "@signalbox/contracts/Paths"
import * as Effect from "effect/Effect"
import { join, relative } from "node:path"
import { follow } from "../workspace/Containment.ts"

/**
 * `real`: without links. Only the links of the session's own folders are put back, since an editor knows the folders by
 * those names. Links below them could lead elsewhere meanwhile.
 */
export const of = (folders: ReadonlyArray<string>, real: string): Effect.Effect<string> =>
  Effect.promise(async () => {
    for (const folder of folders) {
      const place = await follow(folder).catch(() => undefined)
      if (place !== undefined && isWithin(place.path, real)) return join(folder, relative(place.path, real))
    }
    return real
  })
