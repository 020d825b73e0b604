/** What a person has done lately: typed, deleted, moved the cursor. Without any text. */
import type { Context } from "@signalbox/acp/NesSchema"
import type { Position } from "@signalbox/acp/Positions"
import type { TextChange } from "./Documents.ts"

export type UserAction = NonNullable<Context["userActions"]>[number]

/** Most actions that are kept. */
const mostActions = 64

export interface UserActions {
  readonly changed: (uri: string, changes: ReadonlyArray<TextChange>, atMs: number) => void
  /** The caret is at a place. Where an edit has left it, nobody has moved it. */
  readonly moved: (uri: string, position: Position, atMs: number) => void
  /** The actions, newest first. */
  readonly list: () => ReadonlyArray<UserAction>
}

export const make = (): UserActions => {
  let actions: ReadonlyArray<UserAction> = []
  /** The place of the caret after the latest edit. */
  let left: { readonly uri: string; readonly position: Position } | undefined
  const add = (action: UserAction) => {
    actions = [action, ...actions].slice(0, mostActions)
  }
  return {
    changed: (uri, changes, timestampMs) => {
      for (const { range, text } of changes.slice(-mostActions)) {
        if (!range) continue
        const { end, start } = range
        const isInsertion = start.line === end.line && start.character === end.character
        const isOne = isInsertion
          ? text.length === 1
          : text === "" && start.line === end.line && end.character - start.character === 1
        const action = `${text === "" ? "delete" : "insert"}${isOne ? "Char" : "Selection"}`
        add({ action, uri, position: start, timestampMs })
        left = { uri, position: behind(start, text) }
      }
    },
    moved: (uri, position, timestampMs) => {
      const { line, character } = position
      const isLeft = left?.uri === uri && left.position.line === line && left.position.character === character
      left = undefined
      if (!isLeft) add({ action: "cursorMovement", uri, position, timestampMs })
    },
    list: () => actions
  }
}

/** The place behind a text that begins at `start`, in UTF-16 units. */
const behind = ({ character, line }: Position, text: string): Position => {
  const lines = text.split(/\r\n|\r|\n/)
  const last = lines.at(-1) ?? ""
  return lines.length === 1
    ? { line, character: character + last.length }
    : { line: line + lines.length - 1, character: last.length }
}
