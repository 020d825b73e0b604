import type { Problem } from "@signalbox/contracts/Problem"
import { runningTurn } from "@signalbox/contracts/ThreadProjection"
import type { ThreadView, TurnView } from "@signalbox/contracts/ThreadView"
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from "react"
import { newTurnId, problemOf, send } from "../connection/commands.ts"
import { Button } from "../design/Button.tsx"
import { ProblemCard } from "../problems/ProblemCard.tsx"
import { ctrl, hasCtrl } from "../shell/shortcuts.ts"
import styles from "./Composer.module.css"
import { setDraft, useDraft } from "./drafts.ts"
import { SettingPickers } from "./SettingPickers.tsx"
import { StopButton } from "./StopButton.tsx"

/** Where prompts are written. The id is how the rest of the page finds it. */
export const composerId = "prompt"

const placeholder = (running: TurnView | undefined, asked: boolean, name: string): string =>
  asked
    ? "Write the next prompt. It waits until you have answered."
    : running
      ? "Write the next prompt. It waits until this turn ends."
      : `Write a prompt for ${name}.`

/** Grows with its text where the browser doesn't do that by itself. */
const grow = (field: HTMLTextAreaElement | null): void => {
  if (field === null || CSS.supports("field-sizing", "content")) return
  field.style.height = "auto"
  field.style.height = `${field.scrollHeight}px`
}

export const Composer = (props: {
  readonly view: ThreadView
  readonly connected: boolean
  /** Whether something is asked: the composer then makes room. */
  readonly asked: boolean
  readonly queue: ReactNode
}) => {
  const { asked, connected, queue, view } = props
  const text = useDraft(view.threadId)
  const field = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => grow(field.current))
  const [sending, setSending] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const running = runningTurn(view)
  const empty = text.trim() === ""

  const submit = () => {
    if (empty || sending || !connected) return
    setSending(true)
    setProblem(undefined)
    send(view.threadId, {
      type: "turn.start",
      turnId: newTurnId(),
      prompt: [{ type: "text", text: text.trim() }],
      provider: view.provider.id
    })
      .then(
        () => setDraft(view.threadId, ""),
        (error) => setProblem(problemOf(error))
      )
      .finally(() => setSending(false))
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === "Enter" && hasCtrl(event)) {
      event.preventDefault()
      submit()
    } else if (event.key === "Escape") {
      document.querySelector<HTMLElement>('[role="log"]')?.focus()
    }
  }

  return (
    <>
      {problem && <ProblemCard problem={problem} />}
      <div>
        {queue}
        <div
          className={[styles["composer"], asked && styles["low"], queue !== null && styles["queueAbove"]]
            .filter(Boolean)
            .join(" ")}
        >
          <textarea
            ref={field}
            id={composerId}
            className={styles["prompt"]}
            aria-label={`Prompt for ${view.provider.name}`}
            aria-keyshortcuts="Control+Enter"
            placeholder={placeholder(running, asked, view.provider.name)}
            rows={1}
            value={text}
            readOnly={sending}
            onChange={(event) => setDraft(view.threadId, event.target.value)}
            onKeyDown={onKeyDown}
          />
          <div className={styles["bar"]}>
            {!asked && (
              <SettingPickers
                view={view}
                set={(settingId, value) => {
                  setProblem(undefined)
                  send(view.threadId, { type: "setting.set", settingId, value }).catch((error: unknown) =>
                    setProblem(problemOf(error))
                  )
                }}
              />
            )}
            {(!asked || !empty) && (
              <Button
                icon="enter"
                className={running && styles["queueing"]}
                solid={running === undefined && !empty && connected}
                inert={empty || sending || !connected}
                onClick={submit}
                title={connected ? `${ctrl} Enter` : "Not connected: the draft is kept in this browser"}
              >
                {running ? "Queue" : "Send"}
                {!running && (
                  <kbd className="wide-only" aria-hidden="true">
                    {ctrl} Enter
                  </kbd>
                )}
              </Button>
            )}
            {running && <StopButton threadId={view.threadId} turn={running} connected={connected} fail={setProblem} />}
          </div>
        </div>
      </div>
    </>
  )
}
