/** What a command line of a shell would run and touch, as far as its text shows it. */

/** One word of a simple command, behind all quotes. */
export type Word =
  | { readonly type: "literal"; readonly value: string }
  /**
   * A pattern for file names. `folder`: the literal text before the part that holds the first sign of a pattern, with its slash; may be
   * empty. `below`: a pattern for each level below it.
   */
  | { readonly type: "pattern"; readonly text: string; readonly folder: string; readonly below: ReadonlyArray<string> }
  /** A path in the home folder of who runs the line: `~`, or `~/` and `rest`. */
  | { readonly type: "home"; readonly rest: string }
  /**
   * Known when it runs only: a variable, a substitution, braces. It may become several words, or none. `isNumber`: only a number of it is
   * unknown, such as the last status.
   */
  | { readonly type: "unknown"; readonly text: string; readonly isNumber?: true }

/** A program or a builtin with its arguments, anywhere in the line: in lists, pipes, substitutions, subshells, functions, heredocs. */
export interface SimpleCommand {
  /** The name first. Never empty. Assignments before it and redirections are not among them. */
  readonly words: ReadonlyArray<Word>
  /** The piece of the line, unchanged. */
  readonly text: string
  /** The folder in which it runs, relative to where the line begins or absolute. Null: known when it runs only. */
  readonly folder: string | null
}

/** A file that the shell itself opens. */
export interface Redirection {
  readonly access: "read" | "write"
  readonly target: Word
  /** See `SimpleCommand`. */
  readonly folder: string | null
}

/** A reason for which nobody can say what the line would run. */
export interface Obstacle {
  /** The piece of the line, at most 200 characters of it. */
  readonly text: string
  /** A clause without a subject, such as "runs the words behind it". */
  readonly why: string
}

export interface ShellReading {
  readonly commands: ReadonlyArray<SimpleCommand>
  readonly redirections: ReadonlyArray<Redirection>
  /** Empty if all that the line would run is among its commands. */
  readonly obstacles: ReadonlyArray<Obstacle>
}
