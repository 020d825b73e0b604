/** A rule that would answer requests like this one, offered after like answers. It is never added without being looked at. */
import type { RuleReplay } from "@signalbox/contracts/Audit"
import type { AgentRequest } from "@signalbox/contracts/AgentRequest"
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { Rule } from "@signalbox/contracts/Rule"
import type { AddedRule, RulePlace } from "@signalbox/contracts/Rules"
import { useEffect, useEffectEvent, useId, useRef, useState } from "react"
import { problemOf } from "../connection/commands.ts"
import { addRule, replayRule } from "../connection/rules.ts"
import { Button } from "../design/Button.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { useIntoView } from "../design/useIntoView.ts"
import { Revealed } from "../text/Revealed.tsx"
import { count } from "../words/figures.ts"
import { rulePlace } from "../text/ruleWords.ts"
import styles from "./RuleOffer.module.css"

type Offer = NonNullable<Extract<AgentRequest, { readonly type: "approval" }>["suggestion"]>

export const RuleOffer = (props: {
  readonly offer: Offer
  readonly agent: string
  /** Undefined: the rule can't be for one thread. */
  readonly threadId: ThreadId | undefined
}) => {
  const { agent, offer, threadId } = props
  const { rule, times } = offer
  const [open, setOpen] = useState(false)
  const [added, setAdded] = useState<AddedRule>()
  const section = useRef<HTMLElement>(null)
  useIntoView(section, open)
  if (added !== undefined) return <Added added={added} />
  return (
    <section ref={section} className={styles["offer"]} aria-label="A rule for this">
      <div className={styles["head"]}>
        <p>
          <b>
            Allow{" "}
            <code>
              <Revealed text={rule.match.command ?? ""} />
            </code>{" "}
            from now on?
          </b>{" "}
          You allowed {rule.match.path === undefined ? "it" : "commands like it"} {count(times, "time")} in a row.
        </p>
        {!open && <Button onClick={() => setOpen(true)}>Look at the rule</Button>}
      </div>
      {open && <Look offer={offer} agent={agent} threadId={threadId} onAdded={setAdded} close={() => setOpen(false)} />}
    </section>
  )
}

const Look = (props: {
  readonly offer: Offer
  readonly agent: string
  readonly threadId: ThreadId | undefined
  readonly onAdded: (added: AddedRule) => void
  readonly close: () => void
}) => {
  const {
    agent,
    close,
    onAdded,
    offer: { folder, rule },
    threadId
  } = props
  const [place, setPlace] = useState<RulePlace>({ type: "folder", folder })
  const [sending, setSending] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const name = useId()
  const said = useRef<HTMLParagraphElement>(null)
  useIntoView(said, refusal !== undefined)
  const add = () => {
    setSending(true)
    setRefusal(undefined)
    addRule({ rule, place })
      .then(onAdded)
      .catch((error: unknown) => {
        const { cause, title } = problemOf(error)
        setRefusal(`${title} ${cause}`)
        setSending(false)
      })
  }
  const choices: ReadonlyArray<{ readonly place: RulePlace | undefined; readonly says: string }> = [
    { place: threadId && { type: "thread", threadId }, says: "This thread" },
    { place: { type: "folder", folder }, says: "This folder" },
    { place: { type: "always" }, says: "Always" }
  ]
  return (
    <div className={styles["look"]}>
      <fieldset className={styles["places"]}>
        <legend>Where it holds</legend>
        {choices.map(
          (choice) =>
            choice.place !== undefined && (
              <label key={choice.says}>
                <input
                  type="radio"
                  name={name}
                  checked={place.type === choice.place.type}
                  onChange={() => choice.place !== undefined && setPlace(choice.place)}
                />
                {choice.says}
              </label>
            )
        )}
      </fieldset>
      <p className={styles["words"]}>
        {agent} may run{" "}
        <code>
          <Revealed text={rule.match.command ?? ""} />
        </code>
        {rule.match.path === undefined
          ? ", with exactly these words, "
          : ", where * stands for any characters of this one word, and with paths in the project only, "}
        <Revealed text={whereWords(place)} />, without asking you. The rule stays until you remove it.
      </p>
      <pre className={styles["json"]}>
        <Revealed text={onOneLine(asWritten(rule, place))} />
      </pre>
      <Record key={place.type} rule={asWritten(rule, place)} />
      <div className={styles["acts"]}>
        <Button needs="admin" inert={sending} onClick={add}>
          Add the rule
        </Button>
        <Button bare onClick={close}>
          Back
        </Button>
      </div>
      {refusal !== undefined && (
        <p ref={said} className={styles["refusal"]} role="alert">
          <Lamp status="failed" /> <span>{refusal}</span>
        </p>
      )}
    </div>
  )
}

const whereWords = (place: RulePlace): string => {
  switch (place.type) {
    case "thread":
      return "in this thread"
    case "folder":
      return `in ${place.folder}`
    case "always":
      return "in all folders"
  }
}

const days = 30

/** What the rule would have done, by the record. Nothing is said while that is not known. */
const Record = ({ rule }: { readonly rule: Rule }) => {
  const [replay, setReplay] = useState<RuleReplay>()
  const read = useEffectEvent((signal: AbortSignal) => {
    replayRule(rule, Date.now() - days * 86_400_000, signal)
      .then(setReplay)
      .catch(() => undefined)
  })
  useEffect(() => {
    const reading = new AbortController()
    read(reading.signal)
    return () => reading.abort()
  }, [])
  if (replay === undefined) return null
  const { answered, requests, unknown } = replay
  return (
    <p className="meta">
      It would have answered {answered} of {count(requests, "request")} in the last {days} days.
      {unknown > 0 && ` ${count(unknown, "more was", "more were")} recorded in part only.`}
    </p>
  )
}

const onOneLine = (rule: Rule): string => JSON.stringify(rule, null, 1).replaceAll(/\n\s*/g, " ")

/** The rule with its scope, as it is written to the file. */
const asWritten = (rule: Rule, place: RulePlace): Rule => {
  switch (place.type) {
    case "thread":
      return { ...rule, scope: { thread: place.threadId } }
    case "folder":
      return { ...rule, scope: { workspace: place.folder } }
    case "always":
      return rule
  }
}

const Added = ({ added: { ref, warnings } }: { readonly added: AddedRule }) => (
  <output className={styles["added"]}>
    <b>Rule {ref.number} is added.</b> <Revealed text={ref.text} />. <code>{rulePlace(ref)}</code>
    {warnings.map((warning) => (
      <span key={warning}>
        <Revealed text={warning} />.
      </span>
    ))}
  </output>
)
