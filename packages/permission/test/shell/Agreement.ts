/** Holds what a line did against what was read in it. */
import { posix } from "node:path"
import type { Redirection, ShellReading, SimpleCommand, Word } from "../../src/shell/ShellReading.ts"
import type { Observed, Run } from "./Oracle.ts"

/** What ran or was written though the reading does not hold it. A reading with an obstacle promises nothing. */
export const complaints = (reading: ShellReading, { runs, written }: Observed): ReadonlyArray<string> =>
  reading.obstacles.length > 0
    ? []
    : [
        ...runs
          .filter((run) => !reading.commands.some((command) => isSame(command, run)))
          .map(({ args, folder, name }) => `ran ${JSON.stringify([name, ...args])} in ${folder}`),
        ...written
          .filter((file) => !reading.redirections.some((redirection) => mayWrite(redirection, file)))
          .map((file) => `wrote ${file}`)
      ]

const isSame = ({ folder, words }: SimpleCommand, run: Run): boolean => {
  const [name, ...rest] = words
  return (
    name?.type === "literal" &&
    name.value === run.name &&
    (folder === null || folder === run.folder) &&
    fits(rest, run.args)
  )
}

/** A pattern and unknown text may become several words, or none. */
const fits = (words: ReadonlyArray<Word>, args: ReadonlyArray<string>): boolean => {
  const [word, ...others] = words
  if (word === undefined) return args.length === 0
  const [arg, ...rest] = args
  if (word.type === "literal") return arg === word.value && fits(others, rest)
  if (word.type === "home") return arg?.endsWith(word.rest) === true && fits(others, rest)
  return args.some((_, index) => fits(others, args.slice(index))) || fits(others, [])
}

const mayWrite = ({ access, folder, target }: Redirection, file: string): boolean => {
  if (access === "read") return false
  if (target.type !== "literal") return true
  return folder === null
    ? posix.basename(target.value) === posix.basename(file)
    : posix.join(folder, target.value) === file
}
