/** Text of several lines made to fit the terminal. */
import * as CliOutput from "effect/cli/CliOutput"
import * as Terminal from "./Terminal.ts"

/** Where a description begins when there is no room for it beside what it describes. */
const below = "      "
/** As much room as a description needs, in columns. */
const room = 30

/** Breaks lines between words; what goes on stands below where it began. */
export const fitted = (text: string, width = Terminal.width()): string =>
  text
    .split("\n")
    .flatMap((line) => (CliOutput.displayWidth(line) <= width ? [line] : broken(line, width)))
    .join("\n")

const broken = (line: string, width: number): ReadonlyArray<string> => {
  // `  --port, -p PORT    Port to listen on`, or words alone.
  const head = /^ *\S.*? {2,}(?=\S)/.exec(line)?.[0] ?? /^ */.exec(line)?.[0] ?? ""
  const words = line.slice(head.length).split(" ")
  const column = CliOutput.displayWidth(head)
  if (width - column < room) return [head.trimEnd(), ...filled(below, words, width)]
  const [first = "", ...rest] = filled(" ".repeat(column), words, width)
  return [head + first.slice(column), ...rest]
}

const filled = (margin: string, words: ReadonlyArray<string>, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of words) {
    const longer = line === "" ? margin + word : `${line} ${word}`
    if (line !== "" && CliOutput.displayWidth(longer) > width) {
      lines.push(line)
      line = margin + word
    } else line = longer
  }
  return [...lines, line]
}
