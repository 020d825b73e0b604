/** Names of crates. Cargo takes `-` and `_` for equal. */

/** Whether a text can be the name of a crate: then it is safe as a part of a path, of TOML and of an argument. */
export const isCrateName = (name: string): boolean => /^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name)

const folded = (name: string): string => name.replaceAll("-", "_").toLowerCase()

export const isSame = (one: string, other: string): boolean => folded(one) === folded(other)

/** The name in the ways in which its author may have written it. */
export const spellings = (name: string): ReadonlyArray<string> => [
  ...new Set([name, name.replaceAll("-", "_"), name.replaceAll("_", "-")])
]
