/** The words of the command line before any of them is parsed. Loads nothing. */

/** The words from the command on. `--log-level` is the one flag that may stand before any command. */
export const fromCommand = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first = ""] = args
  if (first === "--log-level") return fromCommand(args.slice(2))
  return first.startsWith("--log-level=") ? fromCommand(args.slice(1)) : args
}

/** One use of a flag that takes a value. */
export interface FlagUse {
  readonly flag: string
  readonly value: string
}

/** The words behind `--`; undefined if it is not there. */
export const behindDashes = (args: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  const at = args.indexOf("--")
  return at === -1 ? undefined : args.slice(at + 1)
}

/**
 * Joins a flag with the word behind it. The parser takes a word that begins with a hyphen for a flag, and never for a value.
 *
 * @param flag such as `--command`; it takes a value
 */
export const withValue = (args: ReadonlyArray<string>, flag: string): ReadonlyArray<string> => {
  const words: Array<string> = []
  for (let at = 0; at < args.length; at++) {
    const [word = "", value] = args.slice(at)
    if (word === "--") return [...words, ...args.slice(at)]
    const isJoined = word === flag && value !== undefined
    words.push(isJoined ? `${word}=${value}` : word)
    if (isJoined) at++
  }
  return words
}

/**
 * Each use of some flags, in the order of the words: the parser keeps the order of each flag, and not between flags.
 *
 * @param args words that the parser took without an error
 * @param flags such as `--proxy`; each takes a value
 */
export const usesOf = (args: ReadonlyArray<string>, flags: ReadonlyArray<string>): ReadonlyArray<FlagUse> => {
  const uses: Array<FlagUse> = []
  for (const [at, word] of args.entries()) {
    if (word === "--") break
    const flag = flags.find((each) => word === each || word.startsWith(`${each}=`))
    if (flag === undefined) continue
    uses.push({ flag, value: word === flag ? (args[at + 1] ?? "") : word.slice(flag.length + 1) })
  }
  return uses
}
