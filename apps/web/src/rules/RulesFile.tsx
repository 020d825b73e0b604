/** A rules file: its state, its faults with their lines, its rules, and trust in the file of a project. */
import type { ListedRule, RulesFileReport } from "@signalbox/contracts/Rules"
import { sentencesOf } from "@signalbox/contracts/Problem"
import { useState } from "react"
import { problemOf } from "../connection/commands.ts"
import { trustProject, untrustProject } from "../connection/rules.ts"
import { Button } from "../design/Button.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { Revealed } from "../text/Revealed.tsx"
import { count } from "../words/figures.ts"
import styles from "./Rules.module.css"
import { RulesTable } from "./RulesTable.tsx"
import { fileWords, plainPath } from "./ruleWords.ts"
import type { Counts } from "./useRules.ts"

export const RulesFile = (props: {
  readonly file: RulesFileReport
  readonly counts: Counts
  readonly current: ListedRule | undefined
  readonly onPick: (rule: ListedRule) => void
}) => {
  const { counts, current, file, onPick } = props
  const { faults, path, rules, source, state } = file
  const isWrong = state === "faulty" || state === "unreadable"
  const label = source === "user" ? "Your rules" : `Rules of ${plainPath(file.folder ?? path)}`
  return (
    <section className={styles["file"]} aria-label={label}>
      <p className={styles["path"]}>
        {(isWrong || state === "untrusted") && <Lamp status={isWrong ? "failed" : "waiting"} />}
        <span>
          <code>{plainPath(path)}</code> {fileWords(file)}
        </span>
      </p>
      {faults.length > 0 && (
        <ul className={styles["faults"]} aria-label="Faults">
          {faults.map(({ column, line, message, path: place }) => (
            <li key={`${line}:${column} ${message}`}>
              <b>Line {line}</b> <Revealed text={`${place === "" ? "" : `${place}: `}${message}.`} />
            </li>
          ))}
        </ul>
      )}
      {isWrong && rules.length > 0 && (
        <p className="quiet">{count(rules.length, "rule")} from before the fault stay in force:</p>
      )}
      {rules.length > 0 && <RulesTable label={label} rules={rules} counts={counts} current={current} onPick={onPick} />}
      {source === "project" && <Trust file={file} />}
    </section>
  )
}

/** The rules that will count are shown above, before they are trusted. The file is trusted as it was shown. */
const Trust = ({ file: { hash, path, state } }: { readonly file: RulesFileReport }) => {
  const [refusal, setRefusal] = useState<string>()
  const tell = (done: Promise<void>) => {
    setRefusal(undefined)
    done.catch((error: unknown) => setRefusal(sentencesOf(problemOf(error))))
  }
  return (
    <>
      <p className={styles["acts"]}>
        {state === "untrusted" && hash !== undefined && (
          <Button needs="admin" onClick={() => tell(trustProject(path, hash))}>
            Trust these rules
          </Button>
        )}
        {state === "in-force" && (
          <Button needs="admin" onClick={() => tell(untrustProject(path))}>
            Trust no longer
          </Button>
        )}
        <span className="meta">The rules of a project can only deny and ask.</span>
      </p>
      {refusal !== undefined && (
        <p className={styles["refusal"]} role="alert">
          {refusal}
        </p>
      )}
    </>
  )
}
