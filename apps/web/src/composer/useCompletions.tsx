import type { FoundFile } from "@signalbox/contracts/FileSearch"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from "react"
import { hasCtrl } from "../browser/shortcuts.ts"
import { meantCommands, withCommand } from "./commandWords.ts"
import type { Completion } from "./CompletionList.tsx"
import type { Draft } from "./Draft.ts"
import { changeDraft } from "./drafts.ts"
import { mentionAt, withMention } from "./mentions.ts"
import { useFileSearch } from "./useFileSearch.ts"
import { Revealed, RevealedProse } from "../text/Revealed.tsx"

export interface Completions {
  /** Open while it has entries. */
  readonly list: ReadonlyArray<Completion>
  readonly label: string
  readonly active: number
  readonly activate: (index: number) => void
  /** Whether a key was one of the list's. */
  readonly takesKey: (event: KeyboardEvent) => boolean
  /** The caret has moved, or the text has changed: both decide what is being written. */
  readonly caretMoved: () => void
}

/** What completes the prompt: the agent's commands behind `/`, files of the folder behind `@`. */
export const useCompletions = (
  { commands, cwd, threadId }: ThreadView,
  draft: Draft,
  field: RefObject<HTMLTextAreaElement | null>,
  focused: boolean
): Completions => {
  const { text } = draft
  const [caret, setCaret] = useState(0)
  const [active, setActive] = useState(0)
  const [dismissed, setDismissed] = useState<string>()
  /** The next place of the caret, in a text that is not in the field yet. */
  const place = useRef<number>(undefined)
  const wanted = focused && dismissed !== text
  const mention = wanted ? mentionAt(text, caret) : undefined
  const files = useFileSearch(cwd, mention?.query)
  const meant = wanted ? meantCommands(commands, text) : []

  const put = (next: string, at: number, more: Partial<Draft> = {}) => {
    changeDraft(threadId, { text: next, ...more })
    setCaret(at)
    setActive(0)
    place.current = at
    field.current?.focus()
  }
  // With the text, and no later: people write on at once.
  useLayoutEffect(() => {
    const at = place.current
    place.current = undefined
    if (at !== undefined) field.current?.setSelectionRange(at, at)
  })
  const list: ReadonlyArray<Completion> =
    mention === undefined
      ? meant.map((command) => ({
          key: command.name,
          label: (
            <>
              <code>
                /<Revealed text={command.name} />
              </code>{" "}
              {command.hint !== undefined && (
                <span className="meta">
                  <RevealedProse text={command.hint} />
                </span>
              )}
            </>
          ),
          description: command.description,
          complete: () => put(withCommand(command), withCommand(command).length)
        }))
      : files.map((file) => ({
          key: file.path,
          label: <Path file={file} />,
          complete: () => {
            const completed = withMention(text, mention.start, caret, file.path)
            put(completed.text, completed.caret, {
              mentions: [...draft.mentions, { path: file.path, uri: file.uri }]
            })
          }
        }))
  const at = Math.min(active, list.length - 1)
  return {
    list,
    label: mention === undefined ? "Commands" : "Files",
    active: at,
    activate: setActive,
    takesKey: (event) => {
      const completion = list[at]
      if (completion === undefined || hasCtrl(event) || event.altKey) return false
      if (event.key === "ArrowDown" || event.key === "ArrowUp")
        setActive((at + (event.key === "ArrowDown" ? 1 : list.length - 1)) % list.length)
      else if ((event.key === "Enter" && !event.shiftKey) || (event.key === "Tab" && !event.shiftKey))
        completion.complete()
      else if (event.key === "Escape") setDismissed(text)
      else return false
      event.preventDefault()
      return true
    },
    caretMoved: () => {
      const now = field.current?.selectionStart ?? 0
      if (now === caret) return
      setCaret(now)
      setActive(0)
    }
  }
}

/** A path with the letters that were meant. */
const Path = ({ file: { matched, path } }: { readonly file: FoundFile }) => {
  const meant = new Set(matched)
  const pieces: Array<{ readonly at: number; readonly text: string; readonly strong: boolean }> = []
  for (let at = 0; at < path.length;) {
    const strong = meant.has(at)
    let end = at + 1
    while (end < path.length && meant.has(end) === strong) end += 1
    pieces.push({ at, text: path.slice(at, end), strong })
    at = end
  }
  return (
    <code>
      {pieces.map(({ at, strong, text }) => (strong ? <b key={at}>{text}</b> : <span key={at}>{text}</span>))}
    </code>
  )
}
