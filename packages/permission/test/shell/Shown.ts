/** Readings in short texts, so that a table can hold what each line must give. */
import type { Redirection, ShellReading, Word } from "../../src/shell/ShellReading.ts"

/** A literal word is its value, `?text` is unknown, `*text` a pattern, `~/rest` below the home folder. */
const word = (shown: Word): string => {
  switch (shown.type) {
    case "literal":
      return /^[\w./:=,@%^+[\]-]+$/.test(shown.value) ? shown.value : JSON.stringify(shown.value)
    case "pattern":
      return `*${shown.folder}|${shown.text}`
    case "home":
      return `~/${shown.rest}`
    case "unknown":
      return `?${shown.text}`
  }
}

/** Each command in one text. */
export const commands = (reading: ShellReading): ReadonlyArray<string> =>
  reading.commands.map(({ words }) => words.map(word).join(" "))

/** Each file that is opened, with `<` for reading and `>` for writing. */
export const files = (reading: ShellReading): ReadonlyArray<string> => reading.redirections.map(file)

const file = ({ access, folder, target }: Redirection): string =>
  `${access === "read" ? "<" : ">"} ${word(target)}${folder === "." ? "" : ` in ${folder}`}`
