/** The words of the command line before any of them is parsed. Loads nothing. */

/** The words from the command on. `--log-level` is the one flag that may stand before any command. */
export const fromCommand = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first = ""] = args
  if (first === "--log-level") return fromCommand(args.slice(2))
  return first.startsWith("--log-level=") ? fromCommand(args.slice(1)) : args
}
