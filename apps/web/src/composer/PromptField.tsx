import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useState } from "react"
import { hasCtrl } from "../browser/shortcuts.ts"
import { CompletionList } from "./CompletionList.tsx"
import styles from "./Composer.module.css"
import type { Draft } from "./Draft.ts"
import { changeDraft } from "./drafts.ts"
import { useCompletions } from "./useCompletions.tsx"

/** The id of the field for prompts, by which the rest of the page finds it. */
export const composerId = "prompt"

/** Grows with its text where the browser doesn't do that by itself. */
const grow = (field: HTMLTextAreaElement | null): void => {
  if (field === null || CSS.supports("field-sizing", "content")) return
  field.style.height = "auto"
  field.style.height = `${field.scrollHeight}px`
}

/** The field for prompts, with the list that completes commands and files in it. */
export const PromptField = (props: {
  readonly view: ThreadView
  readonly draft: Draft
  readonly field: RefObject<HTMLTextAreaElement | null>
  /** The box above which the list stands. */
  readonly frame: RefObject<HTMLDivElement | null>
  readonly placeholder: string
  /** The id of the words that say what becomes of the prompt. */
  readonly describedBy: string | undefined
  readonly sending: boolean
  /** `between`: before all that waits. */
  readonly submit: (how: "behind" | "between") => void
}) => {
  const { draft, field, frame, sending, submit, view } = props
  const listId = useId()
  const [focused, setFocused] = useState(false)
  const completions = useCompletions(view, draft, field, focused && !sending)
  const listed = completions.list.length > 0
  useLayoutEffect(() => grow(field.current))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || completions.takesKey(event)) return
    if (event.key === "Enter" && hasCtrl(event)) {
      event.preventDefault()
      submit(event.shiftKey ? "between" : "behind")
    } else if (event.key === "Escape") {
      document.querySelector<HTMLElement>('[role="log"]')?.focus()
    }
  }
  return (
    <>
      <textarea
        ref={field}
        id={composerId}
        className={styles["prompt"]}
        aria-label={`Prompt for ${view.provider.name}`}
        aria-keyshortcuts="Control+Enter"
        aria-describedby={props.describedBy}
        placeholder={props.placeholder}
        rows={1}
        value={draft.text}
        readOnly={sending}
        aria-autocomplete="list"
        aria-controls={listed ? listId : undefined}
        aria-activedescendant={listed ? `${listId}-${completions.active}` : undefined}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onChange={(event) => {
          changeDraft(view.threadId, { text: event.target.value })
          completions.caretMoved()
        }}
        onSelect={completions.caretMoved}
        onKeyDown={onKeyDown}
      />
      {listed && (
        <CompletionList
          id={listId}
          label={completions.label}
          completions={completions.list}
          active={completions.active}
          anchor={frame}
          onActivate={completions.activate}
        />
      )}
    </>
  )
}
