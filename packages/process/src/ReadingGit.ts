/**
 * Makes git a reader: it runs no program that a repository names, fetches nothing, writes nothing and asks nobody. What a single command may
 * run besides, its caller turns off.
 */

/** Arguments for before the command. */
export const guards: ReadonlyArray<string> = [
  "core.fsmonitor=false",
  "core.untrackedCache=false",
  "core.hooksPath=/dev/null"
].flatMap((setting) => ["-c", setting])

/** Variables of its environment. */
export const variables = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  // A partial clone would fetch what it lacks, by a program that its settings name. Older versions know the second variable only.
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  LC_ALL: "C"
} as const
