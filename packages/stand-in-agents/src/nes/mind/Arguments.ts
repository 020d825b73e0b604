/** Adds an argument at the other call sites, after one of them or the list of parameters got one. */
import { type Call, isDeclaration, openAt, readCall } from "./Calls.ts"
import { essence, undone } from "./Edit.ts"
import { inTurn } from "./InTurn.ts"
import type { Change, Idea, LastEdit, Scene, Span } from "./Scene.ts"
import { isName, placesOf } from "./Words.ts"

const mostCalls = 200

/** An argument that calls lack. */
interface Missing {
  readonly name: string
  readonly index: number
  readonly text: string
  /** How many arguments the calls have without it. */
  readonly count: number
  /** The parenthesis of the call that has it already. */
  readonly open: number
}

const textsOf = (text: string, list: ReadonlyArray<Span>): ReadonlyArray<string> =>
  list.map(({ end, start }) => text.slice(start, end))

/** The index of the one text more. Undefined if the others are not the same. */
const addedTo = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): number | undefined => {
  if (after.length !== before.length + 1) return undefined
  const first = after.findIndex((each, index) => each !== before[index])
  return after.toSpliced(first, 1).every((each, index) => each === before[index]) ? first : undefined
}

/** The argument for a parameter: its name. Undefined if a call may do without it. */
const argumentFor = (parameter: string): string | undefined => {
  if (/[=?]|^\.\.\.|^\*/.test(parameter)) return undefined
  // `mut name: Type`, `Type name`, `name`; Go's `name Type` is not known from `Type name`.
  const [beforeColon = ""] = parameter.split(":", 1)
  const word = beforeColon.trim().split(/\s+/).at(-1) ?? ""
  return isName(word) ? word : undefined
}

const missingAfter = ({ text, ...last }: LastEdit): Missing | undefined => {
  const edit = essence(last)
  const open = edit && openAt(text, edit.at)
  if (edit === undefined || open === undefined) return undefined
  const before = undone(text, edit)
  const now = readCall(text, open)
  const then = readCall(before, open)
  if (now === undefined || then === undefined || now.name !== then.name) return undefined
  const texts = textsOf(text, now.list)
  const index = addedTo(textsOf(before, then.list), texts)
  const added = index === undefined ? undefined : texts[index]
  if (index === undefined || added === undefined) return undefined
  const argument = isDeclaration(text, now) ? argumentFor(added) : added
  return argument === undefined || argument === ""
    ? undefined
    : { name: now.name, index, text: argument, count: then.list.length, open }
}

/** The place for the argument in a call without it. */
const changeIn = (call: Call, { index, text }: Missing): Change => {
  const before = call.list[index - 1]
  if (before !== undefined) return { start: before.end, end: before.end, text: `, ${text}` }
  const at = call.list[0]?.start ?? call.open + 1
  return { start: at, end: at, text: call.list.length === 0 ? text : `${text}, ` }
}

const changesIn = (text: string, missing: Missing, own: number | undefined): ReadonlyArray<Change> =>
  placesOf(text, missing.name, mostCalls)
    .map((place) => place + missing.name.length)
    .filter((open) => open !== own && text.charAt(open) === "(")
    .flatMap((open) => {
      const call = readCall(text, open)
      if (call?.list.length !== missing.count || isDeclaration(text, call)) return []
      return textsOf(text, call.list).some((each) => each.startsWith("...")) ? [] : [changeIn(call, missing)]
    })

export const missingArgument = (scene: Scene): ReadonlyArray<Idea> => {
  const { isUndone, lastEdit, uri } = scene
  const missing = lastEdit && !isUndone ? missingAfter(lastEdit) : undefined
  if (lastEdit === undefined || missing === undefined) return []
  const next = inTurn(scene, (known) =>
    changesIn(known.text, missing, known.uri === lastEdit.uri ? missing.open : undefined)
  )
  if (scene.trigger !== "manual") return next
  const own = uri === lastEdit.uri ? missing.open : undefined
  const all = changesIn(scene.text, missing, own)
  const last = all.at(-1)
  // On request: all calls of the file at once, too.
  return all.length > 1 && last
    ? [
        ...next,
        { kind: "edit", uri, changes: all, caret: last.start + all.reduce((sum, each) => sum + each.text.length, 0) }
      ]
    : next
}
