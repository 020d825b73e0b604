/** Checks what an agent wants to present. What is wrong is a sentence that names the step, the cause and what to do. */
import { charactersOf, most, type Walkthrough, type WalkthroughStep } from "@signalbox/contracts/Walkthrough"
import * as Arr from "effect/Array"
import * as Result from "effect/Result"

/** A walkthrough as the agent gives it. */
export interface Given {
  readonly title: string
  readonly steps: ReadonlyArray<GivenStep>
}

export interface GivenStep {
  readonly title: string
  readonly text?: string | undefined
  readonly path?: string | undefined
  readonly firstLine?: number | undefined
  readonly lastLine?: number | undefined
}

// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

const wrongWords = (what: string, words: string, longest: number): string | undefined => {
  if (words.trim() === "") return `${what} is empty. Write some words.`
  if (words.length > longest) return `${what} has ${words.length} characters, and ${longest} at most. Shorten it.`
  return controls.test(words) ? `${what} has line breaks or control characters. Write it on one line.` : undefined
}

const wrongLines = (where: string, { firstLine, lastLine, path }: GivenStep): string | undefined => {
  if (firstLine === undefined && lastLine === undefined) return undefined
  if (path === undefined) return `${where} has lines, and no path. Name the file, or leave out the lines.`
  if (firstLine === undefined) return `${where} has a lastLine, and no firstLine. Give both, or firstLine alone.`
  for (const line of [firstLine, lastLine])
    if (line !== undefined && !(Number.isSafeInteger(line) && line >= 1 && line <= most.line))
      return `${where} has the line ${line}. Lines are whole numbers, counted from 1.`
  return lastLine !== undefined && lastLine < firstLine
    ? `${where} ends at line ${lastLine}, before its first line ${firstLine}. Exchange them.`
    : undefined
}

const wrongStep = (step: GivenStep, index: number): string | undefined => {
  const where = `Step ${index + 1}`
  const { path, text = "", title } = step
  return (
    wrongWords(`The title of step ${index + 1}`, title, most.title) ??
    (path === undefined ? undefined : wrongWords(`The path of step ${index + 1}`, path, most.path)) ??
    (text.length > most.text
      ? `The text of step ${index + 1} has ${text.length} characters, and ${most.text} at most. Shorten it, or make it two steps.`
      : wrongLines(where, step))
  )
}

const stepOf = ({ firstLine, lastLine, path, text, title }: GivenStep): WalkthroughStep => ({
  title: title.trim(),
  ...(text !== undefined && text.trim() !== "" && { text: text.replaceAll("\r\n", "\n") }),
  ...(path !== undefined && { path }),
  ...(firstLine !== undefined && { firstLine }),
  ...(lastLine !== undefined && { lastLine })
})

export const of = ({ steps, title }: Given): Result.Result<Walkthrough, string> => {
  if (steps.length > most.steps)
    return Result.fail(`It has ${steps.length} steps, and ${most.steps} at most. Present it in parts.`)
  const characters = charactersOf(steps)
  if (characters > most.characters)
    return Result.fail(
      `Its texts have ${characters} characters, and ${most.characters} at most. Shorten them, or present it in parts.`
    )
  const problem =
    wrongWords("The title", title, most.title) ?? steps.map(wrongStep).find((sentence) => sentence !== undefined)
  if (problem !== undefined) return Result.fail(problem)
  const checked = steps.map(stepOf)
  return Arr.isReadonlyArrayNonEmpty(checked)
    ? Result.succeed({ title: title.trim(), steps: checked })
    : Result.fail("It has no steps. Give at least one.")
}
