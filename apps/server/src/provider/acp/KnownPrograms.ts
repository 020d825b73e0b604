/**
 * What is known of agents by the program that they are, before they have said a word. What an agent says of itself is not asked:
 * anything may call itself anything.
 */
import * as Duration from "effect/Duration"
import { basename } from "node:path"

interface KnownProgram {
  /** The program, or the package of which it is run. */
  readonly names: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
}

/** None may exchange itself for another version while it works; their entries in the public registry say how they are told. */
const known: ReadonlyArray<KnownProgram> = [
  { names: ["droid"], env: { DROID_DISABLE_AUTO_UPDATE: "true", FACTORY_DROID_AUTO_UPDATE_ENABLED: "false" } },
  { names: ["auggie", "@augmentcode/auggie"], env: { AUGMENT_DISABLE_AUTO_UPDATE: "1" } }
]

const runners: ReadonlySet<string> = new Set(["npx", "bunx", "uvx"])

/** The variables that a program should have, unless its settings say otherwise. */
export const environmentOf = (command: string, args: ReadonlyArray<string>): Readonly<Record<string, string>> => {
  const program = basename(command)
  const name = runners.has(program) ? withoutVersion(args.find((arg) => !arg.startsWith("-")) ?? "") : program
  return known.find(({ names }) => names.includes(name))?.env ?? {}
}

/** How long a program may take to its first words: one that runs packages has to fetch them the first time. */
export const firstWordsWithin = (command: string): Duration.Duration =>
  runners.has(basename(command)) ? Duration.minutes(3) : Duration.zero

/** `@scope/name@1.2.3` and `name==1.2.3` as they are called. */
const withoutVersion = (name: string): string => name.replace(/(?<=.)(@|==).*$/, "")
