/** What agents asked for, what was decided, and by whom: the audit log, by thread, agent, result and rule. */
import type { AuditFilter, RuleCount } from "@signalbox/contracts/Audit"
import { ProviderId, ThreadId } from "@signalbox/contracts/Ids"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import { useEffect, useId, useMemo, useState } from "react"
import { useStore } from "../browser/Store.ts"
import { countRules } from "../connection/audit.ts"
import { providers } from "../connection/providers.ts"
import { Button } from "../design/Button.tsx"
import { proseText } from "../text/Revealed.tsx"
import { Page } from "../threads/Page.tsx"
import { count } from "../words/figures.ts"
import { Decision } from "./Decision.tsx"
import styles from "./Decisions.module.css"
import { useDecisions } from "./useDecisions.ts"

const effects = { allow: "Allowed", deny: "Rejected", none: "Answered, or not at all" } as const
const deciders = {
  person: "You",
  rule: "Rules",
  settings: "Settings",
  flag: "Flags of a run",
  nobody: "Nobody"
} as const

/** The members that are chosen; an empty one is not asked for. */
interface Chosen {
  readonly thread: string
  readonly agent: string
  readonly effect: keyof typeof effects | ""
  readonly by: keyof typeof deciders | ""
  readonly rule: string
}

const everything: Chosen = { thread: "", agent: "", effect: "", by: "", rule: "" }

const filterOf = ({ agent, by, effect, rule, thread }: Chosen): AuditFilter => ({
  ...(thread !== "" && { threadId: ThreadId.make(thread) }),
  ...(agent !== "" && { agent: ProviderId.make(agent) }),
  ...(effect !== "" && { effect }),
  ...(by !== "" && { by }),
  ...(rule !== "" && { rule })
})

/** The rules that the record names. */
const useRecordedRules = (): ReadonlyArray<RuleCount> => {
  const [rules, setRules] = useState<ReadonlyArray<RuleCount>>([])
  useEffect(() => {
    const gone = new AbortController()
    // The list says itself why the record can't be read.
    countRules(0, gone.signal).then(setRules, () => undefined)
    return () => gone.abort()
  }, [])
  return rules
}

type Choice = readonly [value: string, text: string]

export const DecisionsPage = ({ threads }: { readonly threads: ReadonlyArray<ThreadSummary> }) => {
  const [chosen, setChosen] = useState(everything)
  const decisions = useDecisions(useMemo(() => filterOf(chosen), [chosen]))
  const agents = useStore(providers) ?? []
  const rules = useRecordedRules()
  const { again, hasMore, more, rows, trouble, unreadable } = decisions
  const pick = (member: keyof Chosen) => (value: string) => setChosen({ ...chosen, [member]: value })
  const isFiltered = Object.values(chosen).some((value) => value !== "")
  return (
    <Page
      title="Decisions"
      about={
        rows === undefined
          ? "Reading the record"
          : `${count(rows.length, "decision")}${hasMore ? ", and earlier ones" : ""}`
      }
      actions={<Button onClick={again}>Read again</Button>}
    >
      <div className={styles["body"]}>
        <fieldset className={styles["filters"]} aria-label="Which decisions">
          <Pick
            name="Thread"
            value={chosen.thread}
            all="All threads"
            choices={threads.map(({ threadId, title }) => [threadId, proseText(title)])}
            onPick={pick("thread")}
          />
          <Pick
            name="Agent"
            value={chosen.agent}
            all="All agents"
            choices={agents.map(({ provider }) => [provider.id, provider.name])}
            onPick={pick("agent")}
          />
          <Pick
            name="Result"
            value={chosen.effect}
            all="All results"
            choices={Object.entries(effects)}
            onPick={pick("effect")}
          />
          <Pick name="By" value={chosen.by} all="Anybody" choices={Object.entries(deciders)} onPick={pick("by")} />
          <Pick
            name="Rule"
            value={chosen.rule}
            all="All rules"
            choices={rules.map(({ rule }) => [rule.id, proseText(rule.text)])}
            onPick={pick("rule")}
          />
          {isFiltered && (
            <Button bare onClick={() => setChosen(everything)}>
              Show all
            </Button>
          )}
        </fieldset>
        {trouble !== undefined && (
          <p className={styles["note"]} role="alert">
            {trouble}
          </p>
        )}
        {unreadable > 0 && (
          <p className={styles["note"]}>
            {count(unreadable, "entry", "entries")} can’t be read. <code>signalbox audit verify</code> names them.
          </p>
        )}
        {rows?.length === 0 && (
          <p className={styles["note"]}>{isFiltered ? "No decision fits." : "Nothing was decided yet."}</p>
        )}
        <ul aria-label="Decisions">
          {rows?.map((row) => (
            <li key={row.decision.sequence} className={styles["item"]}>
              <Decision
                row={row}
                thread={threads.find(({ threadId }) => threadId === row.decision.threadId)}
                agent={agents.find(({ provider }) => provider.id === row.decision.agent)?.provider.name}
              />
            </li>
          ))}
        </ul>
        {hasMore && (
          <p className={styles["note"]}>
            <Button onClick={more}>Show earlier ones</Button>
          </p>
        )}
      </div>
    </Page>
  )
}

const Pick = (props: {
  readonly name: string
  readonly value: string
  readonly all: string
  readonly choices: ReadonlyArray<Choice>
  readonly onPick: (value: string) => void
}) => {
  const id = useId()
  return (
    <span className={styles["pick"]}>
      <label htmlFor={id}>{props.name}</label>
      <select id={id} className="field" value={props.value} onChange={(event) => props.onPick(event.target.value)}>
        <option value="">{props.all}</option>
        {props.choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </span>
  )
}
