/** Texts that differ in their line ends at most: an editor has those of one kind, whatever the disk has. Pure. */

const plain = (text: string): string => text.replaceAll(/\r\n?/g, "\n")

export const areEqual = (one: string, other: string): boolean => plain(one) === plain(other)
