/** The kind of a download, from the end of its address: an archive that we can unpack, or the program itself. */

export type ArchiveKind = "tar" | "tar.bz2" | "zip" | "program"

const known: ReadonlyArray<readonly [RegExp, ArchiveKind | undefined]> = [
  [/\.(?:tar\.gz|tgz|tar)$/i, "tar"],
  [/\.(?:tar\.bz2|tbz2)$/i, "tar.bz2"],
  [/\.zip$/i, "zip"],
  // Kinds that are no programs and that the registry's format doesn't have.
  [/\.(?:gz|bz2|xz|txz|zst|7z|rar|dmg|pkg|msi|deb|rpm|appimage\.zsync)$/i, undefined]
]

/** The kind at an address. Undefined for an archive of another kind. */
export const kindOf = (address: string): ArchiveKind | undefined => {
  const { pathname } = new URL(address)
  const found = known.find(([pattern]) => pattern.test(pathname))
  return found === undefined ? "program" : found[1]
}
