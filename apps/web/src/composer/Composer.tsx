import type { Problem } from "@signalbox/contracts/Problem"
import type { SettingValue } from "@signalbox/contracts/SessionSetting"
import { runningTurn } from "@signalbox/threads/ThreadProjection"
import type { ThreadView, TurnView } from "@signalbox/contracts/ThreadView"
import { lazy, type ReactNode, Suspense, useId, useRef, useState } from "react"
import { announce } from "../browser/announcer.ts"
import { problemOf, send } from "../connection/commands.ts"
import { useScope } from "../design/scope.ts"
import { ScopeNote } from "../design/ScopeNote.tsx"
import { ProblemCard } from "../problems/ProblemCard.tsx"
import { AttachButton } from "./AttachButton.tsx"
import { Attachments } from "./Attachments.tsx"
import { fateOf } from "./attachments.ts"
import styles from "./Composer.module.css"
import { useDraft } from "./drafts.ts"
import { joining } from "./holdWords.ts"
import { PromptField } from "./PromptField.tsx"
import { BetweenButton, SendButton } from "./SendButtons.tsx"
import { SettingPickers } from "./SettingPickers.tsx"
import { StopButton } from "./StopButton.tsx"
import { useAttaching } from "./useAttaching.ts"
import { usePromptSending } from "./usePromptSending.ts"

/** Loaded with the part that keeps drafts. */
const DraftLine = lazy(async () => {
  const part = await import("./DraftLine.tsx").catch(() => undefined)
  return { default: part?.DraftLine ?? NotKept }
})

const NotKept = () => (
  <p className={styles["refused"]}>
    Not saved in the server: a part of this page can’t be loaded. The text is kept in this browser.
  </p>
)

const placeholder = ({ held, provider }: ThreadView, running: TurnView | undefined, asked: boolean): string => {
  if (held) return "Write the next prompt. It waits until you resume."
  if (asked && running) return "Write the next prompt. It waits until you have answered."
  if (running) return "Write the next prompt. It waits until this turn ends."
  return `Write a prompt for ${provider.name}. @ mentions a file.`
}

/** The place to write prompts, attach files, choose settings and stop the running turn. */
export const Composer = (props: {
  readonly view: ThreadView
  readonly connected: boolean
  /** Whether something is asked: the composer then makes room. */
  readonly asked: boolean
  readonly queue: ReactNode
}) => {
  const { asked, connected, queue, view } = props
  const { name } = view.provider
  const draft = useDraft(view.threadId)
  const { attachments, text } = draft
  const field = useRef<HTMLTextAreaElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const [problem, setProblem] = useState<Problem>()
  const { sending, submit } = usePromptSending(view, draft, setProblem)
  const isAllowed = useScope("operate") === undefined
  const attaching = useAttaching(view.threadId, draft)
  const running = runningTurn(view)
  const waits = running !== undefined || view.held === true
  // To a session that knows nothing of what was said, nothing is sent before people have chosen how it goes on.
  const comesBetween = waits && view.forgotten !== "open"
  const abilities = view.session.capabilities?.prompt
  const empty = text.trim() === "" && attachments.every((attachment) => fateOf(attachment, abilities, name).leftOut)
  const incomplete = draft.maybeSent || attachments.some(({ part }) => part === undefined)
  const joins = empty ? undefined : joining(view)
  const joinsId = useId()

  const sendPrompt = (how: "behind" | "between") => {
    if (empty || incomplete || sending || !connected || !isAllowed) return
    submit(how === "between" && comesBetween, () => {
      attaching.sent()
      if (how === "behind" && joins !== undefined) announce(`${joins}.`)
    })
    field.current?.focus()
  }
  const setSetting = (settingId: string, value: SettingValue) => {
    setProblem(undefined)
    return send(view.threadId, { type: "setting.set", settingId, value }).then(
      () => true,
      (error: unknown) => {
        setProblem(problemOf(error))
        return false
      }
    )
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
          <Suspense>
            <DraftLine threadId={view.threadId} />
          </Suspense>
          <PromptField
            view={view}
            draft={draft}
            field={field}
            frame={frame}
            placeholder={placeholder(view, running, asked)}
            describedBy={joins === undefined ? undefined : joinsId}
            sending={sending}
            submit={sendPrompt}
          />
          {joins !== undefined && (
            <p id={joinsId} className={`quiet ${styles["joins"]}`}>
              {joins}
            </p>
          )}
          {!asked && <ScopeNote needs="operate" />}
          <div className={styles["bar"]}>
            {!asked && (
              <>
                <AttachButton add={attaching.add} />
                <SettingPickers view={view} set={setSetting} leave={() => field.current?.focus()} />
              </>
            )}
            {(!asked || !empty) && (
              <SendButton
                waits={waits}
                empty={empty}
                sending={sending}
                connected={connected}
                onClick={() => sendPrompt("behind")}
              />
            )}
            {comesBetween && !asked && !empty && (
              <BetweenButton
                view={view}
                sending={sending}
                connected={connected}
                onClick={() => sendPrompt("between")}
              />
            )}
            {running && <StopButton threadId={view.threadId} turn={running} connected={connected} fail={setProblem} />}
          </div>
        </div>
      </div>
    </>
  )
}
