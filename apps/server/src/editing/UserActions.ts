/** What a person has done lately: typed, deleted, moved the cursor. Without any text. */
import type { Context } from "@signalbox/acp/NesSchema"
import type { Position } from "@signalbox/acp/Positions"
import type { TextChange } from "./Documents.ts"

export type UserAction = NonNullable<Context["userActions"]>[number]

/** Most actions that are kept. */
const mostActions = 64

export interface UserActions {
  readonly changed: (uri: string, changes: ReadonlyArray<TextChange>, atMs: number) => void
  readonly moved: (uri: string, position: Position, atMs: number) => void
  /** The actions, newest first. */
  readonly list: () => ReadonlyArray<UserAction>
}

export const make = (): UserActions => {
  let actions: ReadonlyArray<UserAction> = []
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
      }
    },
    moved: (uri, position, timestampMs) => add({ action: "cursorMovement", uri, position, timestampMs }),
    list: () => actions
  }
}
