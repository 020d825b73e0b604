import type { Problem } from "@signalbox/contracts/Problem"
import { runningTurn } from "@signalbox/contracts/ThreadProjection"
import type { ThreadView, TurnView } from "@signalbox/contracts/ThreadView"
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from "react"
import { newTurnId, problemOf, send } from "../connection/commands.ts"
import { Button } from "../design/Button.tsx"
import { ProblemCard } from "../problems/ProblemCard.tsx"
import { ctrl, hasCtrl } from "../shell/shortcuts.ts"
import styles from "./Composer.module.css"
import { CommandList } from "./CommandList.tsx"
import { meantCommands, withCommand } from "./commandWords.ts"
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

  const listId = useId()
  const [focused, setFocused] = useState(false)
  const [dismissed, setDismissed] = useState<string>()
  const [active, setActive] = useState(0)
  const meant = meantCommands(view.commands, text)
  const listed = focused && !sending && meant.length > 0 && dismissed !== text
  const at = Math.min(active, meant.length - 1)

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
  const complete = (command: (typeof meant)[number]) => {
    setDraft(view.threadId, withCommand(command))
    field.current?.focus()
  }
  /** Keys of the list of commands while it is open; true when the key was one of them. */
  const completes = (event: KeyboardEvent): boolean => {
    const command = meant[at]
    if (!listed || command === undefined || hasCtrl(event)) return false
    if (event.key === "ArrowDown" || event.key === "ArrowUp")
      setActive((at + (event.key === "ArrowDown" ? 1 : meant.length - 1)) % meant.length)
    else if (event.key === "Enter" || event.key === "Tab") complete(command)
    else if (event.key === "Escape") setDismissed(text)
    else return false
    event.preventDefault()
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || completes(event)) return
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
            aria-autocomplete="list"
            aria-controls={listed ? listId : undefined}
            aria-activedescendant={listed ? `${listId}-${at}` : undefined}
            onFocus={() => setFocused(true)}
            onBlur={() => setFocused(false)}
            onChange={(event) => {
              setDraft(view.threadId, event.target.value)
              setActive(0)
            }}
            onKeyDown={onKeyDown}
          />
          {listed && (
            <CommandList
              id={listId}
              commands={meant}
              active={at}
              anchor={field}
              onActivate={setActive}
              onPick={complete}
            />
          )}
          <div className={styles["bar"]}>
            {!asked && (
              <SettingPickers
                view={view}
                set={(settingId, value) => {
                  setProblem(undefined)
                  return send(view.threadId, { type: "setting.set", settingId, value }).then(
                    () => true,
                    (error: unknown) => {
                      setProblem(problemOf(error))
                      return false
                    }
                  )
                }}
                leave={() => field.current?.focus()}
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
