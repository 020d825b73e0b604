/**
 * What an approval allows, read from the request itself. The page and the command line show this one reading, so they
 * can't differ. It lists what it does not understand, so nobody must trust that nothing else is there.
 */
import type { UnreadMember } from "./InputMembers.ts"
import { parsedJson } from "./Json.ts"
import { resolvePath } from "./Paths.ts"
import type { FileDiff, ToolCall } from "./ToolCall.ts"
import { type InputFact, type InputReading, readInput, type TextChange } from "./ToolInput.ts"

export interface ToolReading extends Pick<InputReading, "subject" | "facts" | "words" | "unread" | "unlisted"> {
  /** The changes of files: as the request shows them, or else as its input describes them. */
  readonly diffs: ReadonlyArray<FileDiff>
  /** Files that the request names beside its subject and diffs. */
  readonly alsoNames: ReadonlyArray<string>
  /** Why it can't be inspected, one sentence each. Empty if the reading shows all that the request has. */
  readonly gaps: ReadonlyArray<string>
}

/** Reads a call. The subject is read again, since that of a stored call may come from a version that read titles. */
export const readTool = (tool: ToolCall, cwd: string): ToolReading => {
  const input = inputOf(tool)
  const { changes, facts, subject, unlisted, unread, words } = input
  const contradictions = tool.diffs.length === 0 ? [] : contradictionsOf(tool.diffs, input, cwd)
  const diffs = tool.diffs.length > 0 ? tool.diffs : diffsOf(input)
  const texts = tool.diffs.length > 0 ? [] : changes.filter(({ find }) => find === undefined)
  const left = [...unread, ...contradictions.flatMap(({ members }) => members)]
  const told = new Set([subject.type === "file" ? [subject.path] : [], diffs.map(({ path }) => path)].flat())
  return {
    subject,
    facts: [...facts, ...texts.map(({ put }): InputFact => ({ name: "New text", value: put }))],
    words,
    unread: left,
    unlisted,
    diffs,
    alsoNames: [...new Set(tool.locations.map(({ path }) => path))].filter((path) => path !== "" && !told.has(path)),
    gaps: [
      ...contradictions.map(({ reason }) => reason),
      ...gapsOf(tool, input),
      ...(left.length > 0 ? [unreadSentence(left.length, unlisted)] : [])
    ]
  }
}

/** The reading of the call's input. Empty for an incomplete input. */
export const inputOf = (tool: ToolCall): InputReading => {
  const known = readings.get(tool)
  if (known !== undefined) return known
  const { kind, locations, rawInput } = tool
  const parsed = rawInput === undefined ? { value: undefined } : parsedJson(rawInput)
  const reading = readInput(kind, parsed === undefined ? rawInput : parsed.value, locations)
  readings.set(tool, reading)
  return reading
}

/** Readings by call: a card asks each time that it is drawn, and an input may be long. */
const readings = new WeakMap<ToolCall, InputReading>()

const unreadSentence = (listed: number, unlisted: number): string => {
  if (unlisted > 0)
    return `Signalbox does not understand ${listed + unlisted} parts of the request. The first ${listed} are listed as they were sent.`
  return listed === 1
    ? "Signalbox does not understand one part of the request. It is listed as it was sent."
    : `Signalbox does not understand ${listed} parts of the request. They are listed as they were sent.`
}

const gapsOf = (tool: ToolCall, { changes, facts, isBeside, subject }: InputReading): ReadonlyArray<string> => {
  const { diffs, kind, rawInput } = tool
  if (tool.long !== undefined) return ["Only the beginning of a long text is here."]
  if (rawInput === undefined && diffs.length === 0)
    return ["The request holds no input. Nobody but the agent knows what it stands for."]
  switch (subject.type) {
    case "none":
      return diffs.length > 0 || rawInput === undefined ? [] : ["Signalbox does not know this kind of input."]
    case "mcp":
      return subject.args === undefined ? ["The agent did not send the arguments."] : []
    case "task":
      return subject.prompt === undefined ? ["The agent sent a description only."] : []
    case "command":
    case "search":
      return []
    case "url":
      return kind === "fetch" ? [] : ["The request does not say what is done with this address."]
    case "file":
      if (diffs.length > 0) return []
      // Answers are not bound to locations, since agents change them later.
      if (isBeside) return ["The input names no file. The agent names this one beside it."]
      if (kind === "read" || kind === "delete") return []
      if (kind === "edit") return changes.length > 0 ? [] : ["The request does not say what will change in the file."]
      if (kind === "move")
        return facts.some(({ name }) => name === "Moved to")
          ? []
          : ["The request does not say where the file is moved to."]
      return ["The request does not say what is done with this file."]
  }
}

interface Contradiction {
  readonly reason: string
  /** The members that differ from the diff. */
  readonly members: ReadonlyArray<UnreadMember>
}

/** The members in which the input contradicts the diff that people see. The input is what runs. */
const contradictionsOf = (
  diffs: ReadonlyArray<FileDiff>,
  { changes, isBeside, subject }: InputReading,
  cwd: string
): ReadonlyArray<Contradiction> => {
  const found: Array<Contradiction> = []
  if (
    subject.type === "file" &&
    !isBeside &&
    diffs.some(({ path }) => resolvePath(path, cwd) !== resolvePath(subject.path, cwd))
  )
    found.push({
      reason: "The input names another file than the difference.",
      members: [{ name: "File in the input", value: JSON.stringify(subject.path) }]
    })
  if (changes.length > 0 && !agree(changes, diffs))
    found.push({
      reason: "The input says another change than the difference.",
      members: changes.map((change) => ({ name: "Change in the input", value: JSON.stringify(change) }))
    })
  return found
}

/**
 * Whether changes and diffs agree. Agents show the changed piece, or the file around it, in one diff for each change or
 * for all.
 */
const agree = (changes: ReadonlyArray<TextChange>, diffs: ReadonlyArray<FileDiff>): boolean => {
  if (changes.length === diffs.length && changes.every((change, index) => isShownBy(change, diffs[index]))) return true
  const [diff] = diffs
  if (diff === undefined || diffs.length > 1) return false
  const made = changes.reduce<string | undefined>(applied, diff.oldText ?? "")
  return made === diff.newText
}

const isShownBy = (change: TextChange, diff: FileDiff | undefined): boolean =>
  diff !== undefined &&
  ((diff.newText === change.put && (change.find === undefined || (diff.oldText ?? "") === change.find)) ||
    applied(diff.oldText ?? "", change) === diff.newText)

const applied = (text: string | undefined, { everywhere, find, put }: TextChange): string | undefined => {
  if (find === undefined) return put
  const at = text?.indexOf(find) ?? -1
  if (text === undefined || at === -1 || find === "") return text === "" && find === "" ? put : undefined
  return everywhere ? text.split(find).join(put) : text.slice(0, at) + put + text.slice(at + find.length)
}

/** The diffs of the input's replacements. A whole text gives none, since the file's present content is unknown. */
const diffsOf = ({ changes, subject }: InputReading): ReadonlyArray<FileDiff> =>
  subject.type === "file"
    ? changes.flatMap(({ find, put }) =>
        find === undefined ? [] : { path: subject.path, oldText: find, newText: put }
      )
    : []
