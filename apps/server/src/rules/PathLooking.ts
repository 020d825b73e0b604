/** Follows the paths that a request names, on this machine. It asks the built-in rules about each of them. */
import type { NamedPath } from "@signalbox/permission/rules/Subject"
import { codeOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import * as Containment from "../workspace/Containment.ts"
import * as FittingNames from "./FittingNames.ts"
import * as ProtectedPaths from "../workspace/ProtectedPaths.ts"

/** A path before it was followed. */
export interface Named extends Pick<NamedPath, "access" | "below" | "isDoubtful" | "path"> {
  /** The folder in which it begins, absolute. Null where that can't be known. */
  readonly base: string | null
}

export type Grant = Pick<ProtectedPaths.Grant, "own" | "roots">

/** A disk that does not answer holds nobody up for longer. */
const patience = "2 seconds"

/** Nothing is left out: a path that can't be followed comes without the place that it leads to. Patterns bring the names that fit now. */
export const followAll = (grant: Grant, named: ReadonlyArray<Named>): Effect.Effect<ReadonlyArray<NamedPath>> =>
  Effect.gen(function* () {
    const fitting = yield* Effect.forEach(named, namesOf)
    return yield* Effect.forEach([...named, ...fitting.flat()], (one) => follow(grant, one), { concurrency: 8 })
  })

/** The files that a pattern means at this moment, among them links. */
const namesOf = ({ access, base, below, path }: Named): Effect.Effect<ReadonlyArray<Named>> =>
  below === undefined
    ? Effect.succeed([])
    : Effect.map(FittingNames.of(wholeOf(path, base), below), (names) => {
        // A program takes a name that begins with a dash for an option.
        const unknown: Named = { path: below.join("/"), access, base: null }
        return names === undefined || (path === "." && names.some((name) => name.startsWith("-")))
          ? [unknown]
          : names.map((name) => ({ path: `${path === "." ? "" : `${path}/`}${name}`, access, base }))
      }).pipe(
        Effect.timeout(patience),
        Effect.orElseSucceed((): ReadonlyArray<Named> => [{ path: below.join("/"), access, base: null }])
      )

const wholeOf = (path: string, base: string | null): string | undefined =>
  path.startsWith("/") ? path : base === null ? undefined : `${base}/${path}`

const follow = (grant: Grant, { base, ...named }: Named): Effect.Effect<NamedPath> => {
  const { access, path } = named
  const whole = wholeOf(path, base)
  if (whole === undefined) return Effect.succeed({ ...named, said: null, leadsTo: null })
  const said = join(whole)
  return Effect.tryPromise(async (): Promise<NamedPath> => {
    const leadsTo = await leadOf(whole, said)
    const guard = await ProtectedPaths.strictestOf(grant, [said, leadsTo ?? said], access)
    return { ...named, said, leadsTo, ...(guard !== undefined && { guard }) }
  }).pipe(
    Effect.timeout(patience),
    Effect.orElseSucceed((): NamedPath => ({ ...named, said, leadsTo: null, guard: silent }))
  )
}

const silent = { effect: "ask", why: "The disk did not say where a path leads." } as const

/** Null where that can't be known: the system refuses to say it, or each process sees another place. */
const leadOf = async (whole: string, said: string): Promise<string | null> => {
  try {
    const real = await Containment.follow(whole)
    return real.ofProcess ? null : real.path
  } catch (error) {
    // There is no such file. A word that is no path at all ends here, too.
    return error instanceof Containment.PathRefused || ["ENOTDIR", "ENAMETOOLONG"].includes(codeOf(error) ?? "")
      ? said
      : null
  }
}
