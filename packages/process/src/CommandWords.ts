/**
 * Splits a command line in a flag, such as `--agent "CMD ARGS"`, into words by the quoting rules of a POSIX shell. It
 * expands no variables and no wildcards, and knows no pipes.
 */
import * as Result from "effect/Result"

/** The words of a line. Fails with a description of what is wrong with the line. */
export const split = (line: string): Result.Result<ReadonlyArray<string>, string> => {
  const words: Array<string> = []
  let word: string | undefined
  let quote: "'" | '"' | undefined
  for (let index = 0; index < line.length; index++) {
    const char = line.charAt(index)
    if (quote === undefined && /\s/.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (char === quote) {
      quote = undefined
    } else if (quote === undefined && (char === "'" || char === '"')) {
      quote = char
      word ??= ""
    } else if (char === "\\" && quote !== "'") {
      const next = line.charAt(index + 1)
      if (next === "") return Result.fail("it ends with a backslash")
      // Inside double quotes a backslash stands for itself unless it protects something.
      const kept = quote === '"' && !'\\"$`\n'.includes(next) ? "\\" : ""
      word = `${word ?? ""}${kept}${next}`
      index++
    } else {
      word = `${word ?? ""}${char}`
    }
  }
  if (quote !== undefined) return Result.fail(`the quote ${quote} is never closed`)
  if (word !== undefined) words.push(word)
  if (words.length === 0) return Result.fail("it is empty")
  return words[0] === "" ? Result.fail("the program has no name") : Result.succeed(words)
}
