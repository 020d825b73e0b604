/** Why suggestions were refused, in a few words. */
export const refusalWords: { readonly [reason: string]: string } = {
  malformed: "not what the protocol says",
  unknownKind: "of an unknown kind",
  notOffered: "of a kind that can’t be shown",
  duplicateId: "with the id of another one",
  notOpen: "about a file that is not open",
  outOfRange: "behind the end of the file",
  insideCharacter: "within a character",
  inverted: "with a range that ends before it begins",
  overlapping: "with edits that overlap",
  empty: "without any change",
  tooLarge: "too large",
  tooMany: "too many in one answer",
  withheld: "about a file that is left alone"
}
