/** Tries a command: what the rules in force make of it, part by part. Nothing is run. */
import type { Judgement } from "@signalbox/contracts/Judgement"
import type { ProviderId } from "@signalbox/contracts/Provider"
import { type FormEvent, useEffect, useRef, useState } from "react"
import { problemOf } from "../connection/commands.ts"
import { explainCommand } from "../connection/rules.ts"
import { Button } from "../design/Button.tsx"
import { Revealed } from "../text/Revealed.tsx"
import { EffectTag } from "./RulesTable.tsx"
import styles from "./Rules.module.css"
import { plainPath } from "./ruleWords.ts"

export const TryCommand = ({
  agents,
  folders,
  version
}: {
  readonly folders: ReadonlyArray<string>
  readonly agents: ReadonlyArray<{ readonly id: ProviderId; readonly name: string }>
  /** Another one whenever the rules are others. */
  readonly version: string
}) => {
  const [command, setCommand] = useState("")
  const [folder, setFolder] = useState(folders[0] ?? "/")
  const [agent, setAgent] = useState<string>(agents[0]?.id ?? "cursor")
  const [answer, setAnswer] = useState<{ readonly asked: string; readonly judgement: Judgement }>()
  // A verdict is shown with its own question only, and for the rules as they are now.
  const asked = JSON.stringify([command, agent, folder, version])
  const [refusal, setRefusal] = useState<string>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    running.current?.abort()
    const over = new AbortController()
    running.current = over
    setRefusal(undefined)
    explainCommand({ command, agent, cwd: folder }, over.signal).then(
      (judgement) => setAnswer({ asked, judgement }),
      (error: unknown) => {
        if (!over.signal.aborted) setRefusal(problemOf(error).title)
      }
    )
  }
  return (
    <section>
      <h2>Try a command</h2>
      <form className={styles["try"]} onSubmit={submit}>
        <input
          className="field mono"
          aria-label="Command to try"
          placeholder="pnpm vitest run"
          value={command}
          onChange={(event) => setCommand(event.target.value)}
        />
        <select
          className="field"
          aria-label="Folder of the session"
          value={folder}
          onChange={(event) => setFolder(event.target.value)}
        >
          {(folders.length === 0 ? ["/"] : folders).map((each) => (
            <option key={each} value={each}>
              {plainPath(each)}
            </option>
          ))}
        </select>
        <select className="field" aria-label="Agent" value={agent} onChange={(event) => setAgent(event.target.value)}>
          {agents.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <Button type="submit" needs="operate">
          Try
        </Button>
      </form>
      {refusal !== undefined && <p role="alert">{refusal}</p>}
      {answer?.asked === asked && <Verdict judgement={answer.judgement} />}
      <p className="meta">Nothing is run. The profile of the agent may answer where no rule does.</p>
    </section>
  )
}

const Verdict = ({ judgement: { commands, effect, paths, why } }: { readonly judgement: Judgement }) => (
  <output className={styles["verdict"]}>
    <p>
      <EffectTag effect={effect} /> <Revealed text={why} />
    </p>
    {commands.length + paths.length > 1 && (
      <ol className={styles["hits"]}>
        {[
          ...commands.map((part) => ({ ...part, text: part.text })),
          ...paths.map((part) => ({ ...part, text: part.path }))
        ].map((part, index) => (
          // eslint-disable-next-line react/no-array-index-key -- equal parts may repeat
          <li key={index}>
            <EffectTag effect={part.effect} />
            <span>
              <code>
                <Revealed text={part.text} />
              </code>
              <span className={styles["note"]}>
                <Revealed text={part.why} />
              </span>
            </span>
          </li>
        ))}
      </ol>
    )}
  </output>
)
