/** *Reject and say why*: a field whose text goes to the agent with the rejection. Before it is sent, the card says how. */
import type { RequestId } from "@signalbox/contracts/Ids"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import * as Interjection from "@signalbox/threads/Interjection"
import { type KeyboardEvent, useEffect, useId, useState } from "react"
import { ctrl, hasCtrl } from "../browser/shortcuts.ts"
import { Button } from "../design/Button.tsx"
import { useScope } from "../design/scope.ts"
import styles from "./RejectReason.module.css"

/** The way of a reason to the agent. */
export type ReasonWay = "within" | "held" | "next" | "unknown"

export const reasonWay = (view: ThreadView): ReasonWay => {
  if (Interjection.isTaken(view)) return "within"
  return view.held ? "held" : "next"
}

const ways: Readonly<Record<ReasonWay, (agent: string) => string>> = {
  within: (agent) => `${agent} gets this at once, within its turn.`,
  held: (agent) => `The queue is held: this waits first in it, and ${agent} gets it when you send the queue.`,
  next: (agent) => `${agent} can’t take it with the answer. This is its next prompt, when the turn has ended.`,
  unknown: (agent) => `${agent} gets this within its turn if it takes prompts there, and else as its next prompt.`
}

/** What people have typed on cards that went away or changed, as long as the page is open. */
const kept = new Map<RequestId, string>()

export const hasReason = (requestId: RequestId): boolean => kept.has(requestId)

export const RejectReason = (props: {
  readonly requestId: RequestId
  readonly agent: string
  readonly way: ReasonWay
  /** The agent's name of the option that is taken. */
  readonly option: string
  readonly inert: boolean
  readonly send: (reason: string) => void
  readonly close: () => void
}) => {
  const { agent, close, inert, option, requestId, send, way } = props
  const [text, setText] = useState(() => kept.get(requestId) ?? "")
  const [field, hint] = [useId(), useId()]
  useEffect(() => {
    if (text.trim() === "") kept.delete(requestId)
    else kept.set(requestId, text)
  }, [requestId, text])
  const isEmpty = text.trim() === ""
  const mayNot = useScope("operate") !== undefined
  const submit = () => {
    if (!inert && !mayNot && !isEmpty) send(text.trim())
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && hasCtrl(event)) {
      event.preventDefault()
      event.stopPropagation()
      submit()
    } else if (event.key === "Escape") {
      event.preventDefault()
      event.stopPropagation()
      close()
    }
  }
  return (
    <div className={styles["reason"]}>
      <label htmlFor={field}>Why, in words that {agent} will read</label>
      <textarea
        id={field}
        className="field"
        rows={3}
        dir="auto"
        aria-describedby={hint}
        // The person has just asked to write here.
        // eslint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKey}
      />
      <p id={hint} className={styles["hint"]}>
        This takes “{option}”. {ways[way](agent)}
      </p>
      <div className={styles["acts"]}>
        <Button tall needs="operate" inert={inert || isEmpty} aria-keyshortcuts="Control+Enter" onClick={submit}>
          Reject and send <kbd aria-hidden="true">{ctrl} Enter</kbd>
        </Button>
        <Button tall bare onClick={close}>
          Back
        </Button>
      </div>
    </div>
  )
}
