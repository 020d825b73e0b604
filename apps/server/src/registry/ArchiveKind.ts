/** What is downloaded, by the end of its address: an archive of a kind that we unpack, or the program itself. */

export type ArchiveKind = "tar" | "tar.bz2" | "zip" | "program"

const known: ReadonlyArray<readonly [RegExp, ArchiveKind | undefined]> = [
  [/\.(?:tar\.gz|tgz|tar)$/i, "tar"],
  [/\.(?:tar\.bz2|tbz2)$/i, "tar.bz2"],
  [/\.zip$/i, "zip"],
  // Not a program, and nothing that the registry's format has.
  [/\.(?:gz|bz2|xz|txz|zst|7z|rar|dmg|pkg|msi|deb|rpm|appimage\.zsync)$/i, undefined]
]

/** Undefined for what is surely an archive, and of none of these kinds. */
export const kindOf = (address: string): ArchiveKind | undefined => {
  const { pathname } = new URL(address)
  const found = known.find(([pattern]) => pattern.test(pathname))
  return found === undefined ? "program" : found[1]
}
