import type { PromptPart } from "@signalbox/contracts/Content"
import type { Problem } from "@signalbox/contracts/Problem"
import { runningTurn } from "@signalbox/threads/ThreadProjection"
import type { ThreadView, TurnView } from "@signalbox/contracts/ThreadView"
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from "react"
import { newTurnId, problemOf, send } from "../connection/commands.ts"
import { Button } from "../design/Button.tsx"
import { ProblemCard } from "../problems/ProblemCard.tsx"
import { announce } from "../browser/announcer.ts"
import { ctrl, hasCtrl } from "../browser/shortcuts.ts"
import { AttachButton } from "./AttachButton.tsx"
import { Attachments } from "./Attachments.tsx"
import { fateOf } from "./attachments.ts"
import { CompletionList } from "./CompletionList.tsx"
import styles from "./Composer.module.css"
import { joining } from "./holdWords.ts"
import { changeDraft, clearDraft, type Draft, useDraft } from "./drafts.ts"
import { linkOf, mentionedIn } from "./mentions.ts"
import { SettingPickers } from "./SettingPickers.tsx"
import { StopButton } from "./StopButton.tsx"
import { useAttaching } from "./useAttaching.ts"
import { useCompletions } from "./useCompletions.tsx"

/** The id of the field for prompts, by which the rest of the page finds it. */
export const composerId = "prompt"

const placeholder = ({ held, provider }: ThreadView, running: TurnView | undefined, asked: boolean): string => {
  if (held) return "Write the next prompt. It waits until you resume."
  if (asked && running) return "Write the next prompt. It waits until you have answered."
  if (running) return "Write the next prompt. It waits until this turn ends."
  return `Write a prompt for ${provider.name}. @ mentions a file.`
}

/** Grows with its text where the browser doesn't do that by itself. */
const grow = (field: HTMLTextAreaElement | null): void => {
  if (field === null || CSS.supports("field-sizing", "content")) return
  field.style.height = "auto"
  field.style.height = `${field.scrollHeight}px`
}

/** The words first, since commands begin a prompt; then what is mentioned in them, then what is attached. */
const promptOf = ({ attachments, mentions, text }: Draft): ReadonlyArray<PromptPart> => {
  const words = text.trim()
  return [
    ...(words === "" ? [] : [{ type: "text", text: words } as const]),
    ...mentionedIn(words, mentions).map(linkOf),
    ...attachments.map(({ part }) => part)
  ]
}

export const Composer = (props: {
  readonly view: ThreadView
  readonly connected: boolean
  /** Whether something is asked: the composer then makes room. */
  readonly asked: boolean
  readonly queue: ReactNode
}) => {
  const { asked, connected, queue, view } = props
  const draft = useDraft(view.threadId)
  const { attachments, text } = draft
  const field = useRef<HTMLTextAreaElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => grow(field.current))
  const [sending, setSending] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const running = runningTurn(view)
  const waits = running !== undefined || view.held === true
  // To a session that knows nothing of what was said, nothing is sent before people have chosen how it goes on.
  const comesBetween = waits && view.forgotten !== "open"
  const abilities = view.session.capabilities?.prompt
  const { name } = view.provider
  const steersItself = view.session.capabilities?.steering === "agent"

  const listId = useId()
  const [focused, setFocused] = useState(false)
  const completions = useCompletions(view, draft, field, focused && !sending)
  const listed = completions.list.length > 0
  const attaching = useAttaching(view.threadId, draft)
  const empty = text.trim() === "" && attachments.every((attachment) => fateOf(attachment, abilities, name).leftOut)

  const joins = empty ? undefined : joining(view)
  const joinsId = useId()

  const submit = (how: "behind" | "between" = "behind") => {
    const [first, ...rest] = promptOf(draft)
    if (empty || sending || !connected || first === undefined) return
    setSending(true)
    setProblem(undefined)
    send(view.threadId, {
      type: "turn.start",
      turnId: newTurnId(),
      prompt: [first, ...rest],
      provider: view.provider.id,
      ...(how === "between" && comesBetween && { steer: true })
    })
      .then(
        () => {
          clearDraft(view.threadId)
          attaching.sent()
          if (how === "behind" && joins !== undefined) announce(`${joins}.`)
        },
        (error) => setProblem(problemOf(error))
      )
      .finally(() => setSending(false))
    field.current?.focus()
  }
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
      {problem && <ProblemCard problem={problem} />}
      <div>
        {queue}
        <div
          ref={frame}
          className={[styles["composer"], asked && styles["low"], queue !== null && styles["queueAbove"]]
            .filter(Boolean)
            .join(" ")}
          data-over={attaching.over ? "" : undefined}
          onPaste={attaching.onPaste}
        >
          {attachments.length > 0 && (
            <Attachments attachments={attachments} abilities={abilities} agent={name} remove={attaching.remove} />
          )}
          {attaching.refused !== undefined && (
            <p className={styles["refused"]} role="alert">
              {attaching.refused}
            </p>
          )}
          <textarea
            ref={field}
            id={composerId}
            className={styles["prompt"]}
            aria-label={`Prompt for ${name}`}
            aria-keyshortcuts="Control+Enter"
            aria-describedby={joins === undefined ? undefined : joinsId}
            placeholder={placeholder(view, running, asked)}
            rows={1}
            value={text}
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
          {joins !== undefined && (
            <p id={joinsId} className={`quiet ${styles["joins"]}`}>
              {joins}
            </p>
          )}
          <div className={styles["bar"]}>
            {!asked && (
              <>
                <AttachButton add={attaching.add} />
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
              </>
            )}
            {(!asked || !empty) && (
              <Button
                icon="enter"
                className={waits ? styles["queueing"] : undefined}
                solid={!waits && !empty && connected}
                inert={empty || sending || !connected}
                onClick={() => submit()}
                title={connected ? `${ctrl} Enter` : "Not connected: the draft is kept in this browser"}
              >
                {waits ? "Queue" : "Send"}
                {!waits && (
                  <kbd className="wide-only" aria-hidden="true">
                    {ctrl} Enter
                  </kbd>
                )}
              </Button>
            )}
            {comesBetween && !asked && !empty && (
              <Button
                icon="in"
                className={styles["between"]}
                inert={sending || !connected}
                onClick={() => submit("between")}
                title={`${ctrl} Shift Enter · ${
                  running === undefined
                    ? "This is sent at once; what is held stays so"
                    : steersItself
                      ? `${name} takes it into the turn that runs`
                      : "The turn that runs is stopped, and this is sent next, before what waits"
                }`}
              >
                {running === undefined ? "Send now" : steersItself ? "Say it now" : "Stop and send"}
              </Button>
            )}
            {running && <StopButton threadId={view.threadId} turn={running} connected={connected} fail={setProblem} />}
          </div>
        </div>
      </div>
    </>
  )
}
