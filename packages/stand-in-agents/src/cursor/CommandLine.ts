/** Global flags that take a value. */
const valued = new Set([
  "--model",
  "-e",
  "--endpoint",
  "--api-key",
  "--auth-token",
  "-H",
  "--header",
  "--sandbox",
  "--plugin-dir",
  "--add-dir",
  "--workspace",
  "--data-dir",
  "--mode",
  "--allowed-tools"
])

const bare = new Set([
  "-f",
  "--force",
  "--yolo",
  "-k",
  "--insecure",
  "--trust",
  "--approve-mcps",
  "--auto-review",
  "--plan",
  "--disable-auto-update",
  "--debug",
  "--show-thinking"
])

/** Commands in the form of a flag. */
const commandFlags: Readonly<Record<string, string>> = {
  "--version": "version",
  "-v": "version",
  "--help": "help",
  "-h": "help",
  "--list-models": "models"
}

/** What follows `-w` is its name unless it is one of these. */
const commands = new Set([
  "acp",
  "status",
  "whoami",
  "about",
  "models",
  "login",
  "logout",
  "mcp",
  "create-chat",
  "help"
])

/** A command line that Cursor's CLI would refuse with exit code 1. */
export class UsageError extends Error {
  override readonly name = "UsageError"
}

export interface CommandLine {
  readonly command: string
  /** What stands after the command. */
  readonly rest: ReadonlyArray<string>
  readonly model: string | undefined
  readonly force: boolean
  /** The `-w`/`--worktree` flag; its name is empty when none was given. */
  readonly worktree: string | undefined
  readonly workspace: string | undefined
  /** A key given as `--api-key` or `--auth-token`. */
  readonly key: boolean
}

/** Globals stand before the command; without a command, `help` is meant. */
export const parseCommandLine = (argv: ReadonlyArray<string>): CommandLine => {
  const values = new Map<string, string>()
  const flags = new Set<string>()
  let position = 0
  let command: string | undefined
  while (position < argv.length && command === undefined) {
    const word = argv[position] ?? ""
    const [flag, inline] = word.startsWith("--") ? splitOnce(word) : [word, undefined]
    position += 1
    if (!word.startsWith("-")) command = word
    else if (commandFlags[word] !== undefined) command = commandFlags[word]
    else if (bare.has(word)) flags.add(word)
    else if (valued.has(flag)) {
      const value = inline ?? argv[position]
      if (value === undefined) throw new UsageError(`error: option '${flag}' argument missing`)
      if (inline === undefined) position += 1
      values.set(flag, value)
    } else if (flag === "-w" || flag === "--worktree") {
      const next = argv[position]
      const named = inline === undefined && next !== undefined && !next.startsWith("-") && !commands.has(next)
      if (named) position += 1
      values.set("--worktree", inline ?? (named ? next : ""))
    } else throw new UsageError(`error: unknown option '${word}'`)
  }
  return {
    command: command ?? "help",
    rest: argv.slice(position),
    model: values.get("--model"),
    force: flags.has("-f") || flags.has("--force") || flags.has("--yolo"),
    worktree: values.get("--worktree"),
    workspace: values.get("--workspace"),
    key: values.has("--api-key") || values.has("--auth-token")
  }
}

const splitOnce = (word: string): readonly [string, string | undefined] => {
  const equals = word.indexOf("=")
  return equals === -1 ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)]
}
