/** Versions by the rules of Semantic Versioning, which Cargo and npm share but for how a bare number is read. */
import semver from "semver"

/** A range that was read. */
export interface VersionRange {
  readonly matches: (version: string) => boolean
  /** The only version that it can mean; undefined if there may be several. */
  readonly exact: string | undefined
}

const mostCharacters = 256

/** A range as npm reads it: `1.2.3` is this version alone. Undefined if it is none. */
export const npmRange = (text: string): VersionRange | undefined => {
  const range = text.length > mostCharacters ? null : semver.validRange(text, { loose: false })
  if (range === null) return undefined
  return { matches: (version) => semver.satisfies(version, range), exact: semver.valid(range) ?? undefined }
}

const bare = /^\s*[0-9]/

/** A range as Cargo reads it: `1.2` is `^1.2`, and parts are separated by commas. Undefined if it is none. */
export const cargoRange = (text: string): VersionRange | undefined => {
  if (text.length > mostCharacters || text.includes("||") || text.includes(" - ")) return undefined
  const parts = text.split(",")
  if (text.trim() !== "*" && parts.some((part) => part.trim() === "" || /\s\S+\s\S/.test(part.trim()))) return undefined
  return npmRange(
    parts.map((part) => (bare.test(part) && !/[*xX]/.test(part) ? `^${part.trim()}` : part.trim())).join(" ")
  )
}

/** Newest first. What is no version is left out. */
export const newestFirst = (versions: ReadonlyArray<string>): ReadonlyArray<string> =>
  versions.filter((version) => semver.valid(version) !== null).sort((one, other) => semver.rcompare(one, other))

/** The newest of these versions that a range matches, or of all without a range. One that is a preview counts only if there is no other. */
export const newest = (versions: ReadonlyArray<string>, range: VersionRange | undefined): string | undefined => {
  const matching = newestFirst(versions).filter((version) => range?.matches(version) ?? true)
  return matching.find((version) => semver.prerelease(version) === null) ?? matching.at(0)
}
