/** A form for a new rule of the person's own. It shows the JSON that goes into the file. */
import type { Rule } from "@signalbox/contracts/Rule"
import type { AddedRule, NewRule } from "@signalbox/contracts/Rules"
import { sentencesOf } from "@signalbox/contracts/Problem"
import { type FormEvent, useState } from "react"
import { problemOf } from "../connection/commands.ts"
import { addRule } from "../connection/rules.ts"
import { Button } from "../design/Button.tsx"
import { Dialog } from "../design/Dialog.tsx"
import { Revealed } from "../text/Revealed.tsx"
import styles from "./Rules.module.css"
import { jsonOf, plainPath } from "./ruleWords.ts"

const members = ["command", "path", "kind", "tool", "server", "host"] as const
type Member = (typeof members)[number]

const hints: Readonly<Record<Member, string>> = {
  command: "pnpm vitest ** (** stands for any words)",
  path: "src/** or ~/.ssh/**",
  kind: "read, edit, delete, execute …",
  tool: "the name of a tool",
  server: "the name of an MCP server",
  host: "*.example.org"
}

const effects = ["allow", "ask", "deny"] as const

export const AddRule = (props: {
  readonly file: string
  readonly folders: ReadonlyArray<string>
  readonly agents: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly onAdded: (added: AddedRule) => void
  readonly onClose: () => void
}) => {
  const [effect, setEffect] = useState<Rule["effect"]>("ask")
  const [member, setMember] = useState<Member>("command")
  const [pattern, setPattern] = useState("")
  const [agent, setAgent] = useState("")
  const [folder, setFolder] = useState("")
  const [until, setUntil] = useState("")
  const [why, setWhy] = useState("")
  const [refusal, setRefusal] = useState<string>()
  const [isSent, setSent] = useState(false)
  const rule: Rule = {
    effect,
    match: { [member]: pattern, ...(agent !== "" && { agent }) },
    ...(folder !== "" && { scope: { workspace: folder } }),
    ...(until !== "" && { until }),
    ...(why.trim() !== "" && { why: why.trim() })
  }
  const isReady = pattern.trim() !== "" && !isSent
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isReady) return
    setSent(true)
    setRefusal(undefined)
    const { scope: _, ...rest } = rule
    const placed: NewRule = { rule: rest, place: folder === "" ? { type: "always" } : { type: "folder", folder } }
    addRule(placed).then(
      (added) => {
        props.onAdded(added)
        props.onClose()
      },
      (error: unknown) => {
        setSent(false)
        setRefusal(sentencesOf(problemOf(error)))
      }
    )
  }
  return (
    <Dialog title="Add a rule" onClose={props.onClose}>
      <form className={styles["form"]} onSubmit={submit}>
        <label>
          <span>Effect</span>
          <select className="field" value={effect} onChange={(event) => setEffect(oneOf(effects, event.target.value))}>
            {effects.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <label>
          <span>When a request has this</span>
          <select className="field" value={member} onChange={(event) => setMember(oneOf(members, event.target.value))}>
            {members.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <label>
          <span>Pattern</span>
          <input
            className="field mono"
            data-first-focus=""
            placeholder={hints[member]}
            value={pattern}
            onChange={(event) => setPattern(event.target.value)}
          />
        </label>
        <label>
          <span>Who asks</span>
          <select className="field" value={agent} onChange={(event) => setAgent(event.target.value)}>
            <option value="">every agent</option>
            {props.agents.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>Where</span>
          <select className="field" value={folder} onChange={(event) => setFolder(event.target.value)}>
            <option value="">everywhere</option>
            {props.folders.map((each) => (
              <option key={each} value={each}>
                in {plainPath(each)}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>Until</span>
          <select className="field" value={until} onChange={(event) => setUntil(event.target.value)}>
            <option value="">you remove it</option>
            <option value="once">it is used once</option>
          </select>
        </label>
        <label>
          <span>Why, for people</span>
          <input className="field" value={why} onChange={(event) => setWhy(event.target.value)} />
        </label>
        <div className={styles["json"]}>
          <span className="meta">Goes into {plainPath(props.file)}</span>
          <pre className="well">
            <Revealed output text={jsonOf(rule)} />
          </pre>
        </div>
        {refusal !== undefined && (
          <p className={styles["refusal"]} role="alert">
            {refusal}
          </p>
        )}
        <div className={styles["acts"]}>
          <Button type="submit" solid inert={!isReady}>
            Add the rule
          </Button>
          <Button bare onClick={props.onClose}>
            Back
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const oneOf = <A extends string>(values: readonly [A, ...ReadonlyArray<A>], text: string): A =>
  values.find((value) => value === text) ?? values[0]
