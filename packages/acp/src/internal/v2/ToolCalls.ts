/**
 * Tool calls in the form of version 1: whole content, and texts in place of patches and of the agent's own terminals.
 */
import * as GitPatch from "./GitPatch.ts"
import type * as V2 from "../generated/v2.ts"
import type { Terminals } from "./Terminals.ts"

export interface ToolCalls {
  /** Updates a call and returns it without its tag. `isNew`: whether this is its first update. */
  readonly update: (patch: V2.ToolCallUpdate) => { readonly call: object; readonly isNew: boolean }
  /** Adds a piece of content. */
  readonly append: (chunk: V2.ToolCallContentChunk) => object
  /** The calls that show this terminal, with its present output. */
  readonly showing: (terminalId: string) => ReadonlyArray<object>
}

/**
 * Makes the state of a session's calls.
 *
 * @param isCancelling whether the session is being cancelled. Whoever cancels knows the end of its calls, which version
 * 1 has no word for
 */
export const make = (terminals: Terminals, isCancelling: () => boolean): ToolCalls => {
  const contents = new Map<string, ReadonlyArray<V2.ToolCallContent>>()

  const shown = (toolCallId: string) => (contents.get(toolCallId) ?? []).flatMap((piece) => contentOf(piece, terminals))

  return {
    update: (patch) => {
      const { toolCallId } = patch
      const isNew = !contents.has(toolCallId)
      if (patch.content !== undefined || isNew) contents.set(toolCallId, patch.content ?? [])
      const { capabilities: _, content, kind, locations, name, rawInput, rawOutput, status, title, ...rest } = patch
      return {
        isNew,
        call: {
          ...rest,
          ...given({ title, name, kind: kindOf(kind), status: statusOf(status, isCancelling), rawInput, rawOutput }),
          ...(content !== undefined && { content: shown(toolCallId) }),
          ...(locations !== undefined && { locations: locations ?? [] })
        }
      }
    },
    append: ({ content, toolCallId }) => {
      contents.set(toolCallId, added(contents.get(toolCallId) ?? [], content))
      return { toolCallId, content: shown(toolCallId) }
    },
    showing: (terminalId) =>
      [...contents]
        .filter(([, content]) => content.some((each) => each.type === "terminal" && each["terminalId"] === terminalId))
        .map(([toolCallId]) => ({ toolCallId, content: shown(toolCallId) }))
  }
}

/** The members with a value. Null clears a member in version 2; version 1 can't, so it means no change. */
const given = (members: { readonly [name: string]: unknown }) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null))

const kinds: ReadonlySet<string> = new Set([
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "other"
])

const kindOf = (kind: string | null | undefined) =>
  kind === undefined || kind === null || kinds.has(kind) ? kind : "other"

const statusOf = (status: string | null | undefined, isCancelling: () => boolean) => {
  switch (status) {
    case undefined:
    case null:
    case "pending":
    case "in_progress":
    case "completed":
    case "failed":
      return status
    case "cancelled":
      return isCancelling() ? undefined : "failed"
    default:
      // A paused call, or one with an unknown status, counts as running.
      return "in_progress"
  }
}

/** Adds a piece. Adjacent pieces of text become one. */
const added = (
  content: ReadonlyArray<V2.ToolCallContent>,
  piece: V2.ToolCallContent
): ReadonlyArray<V2.ToolCallContent> => {
  const before = plainText(content.at(-1))
  const text = plainText(piece)
  return before === undefined || text === undefined
    ? [...content, piece]
    : [...content.slice(0, -1), { type: "content", content: { type: "text", text: before + text } }]
}

const plainText = (piece: V2.ToolCallContent | undefined): string | undefined => {
  if (piece?.type !== "content") return undefined
  const { content } = piece
  if (typeof content !== "object" || content === null || !("type" in content) || !("text" in content)) return undefined
  return content.type === "text" && typeof content.text === "string" ? content.text : undefined
}

const contentOf = (piece: V2.ToolCallContent, terminals: Terminals): ReadonlyArray<object> => {
  if (piece.type === "terminal" && typeof piece["terminalId"] === "string") {
    return [text(terminals.show(piece["terminalId"]))]
  }
  return isDiff(piece) ? diff(piece) : [piece]
}

const isDiff = (piece: V2.ToolCallContent): piece is { readonly type: "diff" } & V2.Diff =>
  piece.type === "diff" && Array.isArray(piece["changes"])

const diff = ({ changes, patch }: V2.Diff): ReadonlyArray<object> => {
  const files = patch?.format === "git_patch" ? GitPatch.parse(patch.text) : []
  const told = changes.map((change) => ({ change, file: files.find(({ path }) => isAt(change, path)) }))
  const shown = told.flatMap(({ change, file }) =>
    file === undefined ? [] : [{ type: "diff", path: pathOf(change), oldText: file.oldText, newText: file.newText }]
  )
  const rest = told.flatMap(({ change, file }) =>
    file === undefined || change.operation === "move" || change.operation === "copy" ? [inWords(change)] : []
  )
  return rest.length === 0 ? shown : [...shown, text(rest.join("\n"))]
}

const pathOf = (change: V2.DiffChange): string => (typeof change["path"] === "string" ? change["path"] : "")

/** Whether a change is about this path. Paths in a patch are relative to a root that version 2 does not report. */
const isAt = (change: V2.DiffChange, path: string): boolean =>
  pathOf(change) === path || pathOf(change).endsWith(`/${path}`)

const inWords = (change: V2.DiffChange): string => {
  const from = "oldPath" in change && typeof change.oldPath === "string" ? `${change.oldPath} → ` : ""
  return `${change.operation} ${from}${pathOf(change)}`
}

const text = (written: string) => ({ type: "content", content: { type: "text", text: written } })
