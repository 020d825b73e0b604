/** Follows the paths of a tool call to where they lead on this machine. */
import * as Effect from "effect/Effect"
import type { FollowedPath } from "@signalbox/permission/FollowedPath"
import { isAbsolute } from "node:path"
import { codeOf } from "@signalbox/system/SystemError"
import * as Containment from "../workspace/Containment.ts"

/** More paths than these are not followed. */
const maxPaths = 64
/** A disk that does not answer holds nobody up for longer. */
export const patience = "2 seconds"

/** `base` is where relative paths begin; undefined where that can't be known. */
export const followAll = (
  paths: ReadonlyArray<string>,
  base: string | undefined
): Effect.Effect<ReadonlyArray<FollowedPath>> =>
  Effect.forEach(
    paths,
    (path, index) => {
      const whole = index < maxPaths ? absolute(path, base) : undefined
      return whole === undefined ? Effect.succeed(unknown(path)) : follow(path, whole)
    },
    { concurrency: 8 }
  )

const follow = (path: string, whole: string): Effect.Effect<FollowedPath> =>
  Effect.tryPromise({
    try: () => Containment.follow(whole),
    catch: codeOf
  }).pipe(
    // Our own `/proc/self` says nothing of the agent's.
    Effect.map((real) => (real.ofProcess ? unknown(path) : { path, leadsTo: real.path, exists: real.exists })),
    Effect.catchIf(
      (code) => code === "ENOTDIR" || code === "ENAMETOOLONG",
      () => Effect.succeed({ path, leadsTo: whole, exists: false })
    ),
    Effect.timeout(patience),
    // Refused by the system, or too slow: nobody knows where it leads.
    Effect.orElseSucceed(() => unknown(path))
  )

const unknown = (path: string): FollowedPath => ({ path, leadsTo: null, exists: false })

/** Undefined where the agent may read the text in another way than we do: a home folder, a variable, an address, a pattern, a list of lines. */
const absolute = (path: string, base: string | undefined): string | undefined => {
  const isPlain = path !== "" && path.trim() === path && !/^~|^[a-z][a-z0-9+.-]*:|[$*?{\p{Cc}]/iu.test(path)
  if (!isPlain) return undefined
  if (isAbsolute(path)) return path
  // Put together as text: the system follows a link before it goes up from it.
  return base === undefined ? undefined : `${base}/${path}`
}
