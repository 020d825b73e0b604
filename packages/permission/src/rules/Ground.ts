/** The folders of a session, and the paths that people should know about: those that lead out of them, or elsewhere than they say. */
import { isWithin, leadsElsewhere } from "@signalbox/contracts/Paths"
import type { NamedPath } from "./Subject.ts"

export interface Ground {
  /** The session's own folder, as it is named. */
  readonly folder: string
  /** All its folders without links, its own first. */
  readonly roots: ReadonlyArray<string>
}

export const isOutside = ({ roots }: Ground, { leadsTo }: NamedPath): boolean =>
  leadsTo !== null && !roots.some((root) => isWithin(root, leadsTo))

export const isNoted = (ground: Ground, path: NamedPath): boolean => {
  const { leadsTo, said } = path
  const { folder, roots } = ground
  if (leadsTo === null) return false
  return isOutside(ground, path) || (said !== null && leadsElsewhere(said, leadsTo, folder, roots[0] ?? folder))
}
