/** The page of rules: who answers without a rule, the rules of all files, what each did, and a command to try. */
import type { ListedRule } from "@signalbox/contracts/Rules"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import { sentencesOf } from "@signalbox/contracts/Problem"
import { useState } from "react"
import { useStore } from "../browser/Store.ts"
import { problemOf } from "../connection/commands.ts"
import { providers } from "../connection/providers.ts"
import { addRule, removeRule } from "../connection/rules.ts"
import { Button } from "../design/Button.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { PartGuard } from "../design/PartGuard.tsx"
import { Revealed } from "../text/Revealed.tsx"
import { Page } from "../threads/Page.tsx"
import { count } from "../words/figures.ts"
import { AddRule } from "./AddRule.tsx"
import { Profiles } from "./Profiles.tsx"
import { RuleDetail } from "./RuleDetail.tsx"
import styles from "./Rules.module.css"
import { RulesFile } from "./RulesFile.tsx"
import { keyOf, plainPath } from "./ruleWords.ts"
import { TryCommand } from "./TryCommand.tsx"
import { foldersOf, useCounts, useRules, versionOf } from "./useRules.ts"

/** What was done last, and how to take it back; or why it was not done. */
interface Done {
  readonly sentence: string
  readonly isRefused?: true
  readonly undo?: () => Promise<unknown>
}

export const RulesPage = ({ threads }: { readonly threads: ReadonlyArray<ThreadSummary> }) => {
  const folders = foldersOf(threads)
  const report = useRules(folders)
  const counts = useCounts(report)
  const agents = useStore(providers) ?? []
  const [picked, setPicked] = useState<string>()
  const [isAdding, setAdding] = useState(false)
  const [done, setDone] = useState<Done>()
  const files = report?.files ?? []
  const rules = files.flatMap((file) => file.rules)
  const current = rules.find((rule) => keyOf(rule) === picked) ?? rules[0]
  const own = files.find(({ source }) => source === "user")
  const named = agents.map(({ provider }) => provider)

  const attempt = (doing: Promise<unknown>) => {
    doing.catch((error: unknown) => setDone({ sentence: sentencesOf(problemOf(error)), isRefused: true }))
  }
  const remove = ({ ref, rule }: ListedRule) =>
    attempt(
      removeRule(ref).then(() =>
        setDone({
          sentence: `Removed: ${ref.text}. Undo adds it again, at the end of the file.`,
          undo: () => addRule({ rule })
        })
      )
    )
  const undo = () => {
    const back = done?.undo
    setDone(undefined)
    if (back !== undefined) attempt(back())
  }
  return (
    <Page
      title="Rules"
      about={
        own === undefined ? "Asking the server" : `Kept in ${plainPath(own.path)} · ${count(own.rules.length, "rule")}`
      }
    >
      <div className={styles["rules"]}>
        <div className={styles["list"]}>
          {done && (
            <output className={styles["done"]}>
              <Lamp status={done.isRefused ? "failed" : "completed"} />
              <span>
                <Revealed text={done.sentence} />
              </span>
              {done.undo && (
                <Button needs="admin" onClick={undo}>
                  Undo
                </Button>
              )}
              <Button bare onClick={() => setDone(undefined)}>
                Close
              </Button>
            </output>
          )}
          <section>
            <h2>Profiles</h2>
            <p className={styles["lead"]}>What happens where no rule matches.</p>
            <PartGuard what="The profiles" source={agents}>
              <Profiles agents={agents} />
            </PartGuard>
          </section>
          <section>
            <h2>Rules</h2>
            <p className={styles["lead"]}>The strictest rule that matches wins: deny, then ask, then allow.</p>
            {files.map((file) => (
              <PartGuard key={file.path} what="This file" source={file}>
                <RulesFile file={file} counts={counts} current={current} onPick={(rule) => setPicked(keyOf(rule))} />
                {file === own && (
                  <p className={styles["acts"]}>
                    <Button
                      icon="plus"
                      needs="admin"
                      inert={file.state === "faulty" || file.state === "unreadable"}
                      onClick={() => setAdding(true)}
                    >
                      Add a rule…
                    </Button>
                    <span className="meta">or edit the file. The page follows it.</span>
                  </p>
                )}
              </PartGuard>
            ))}
          </section>
        </div>
        <aside className={styles["detail"]} aria-label={current ? `Rule ${current.ref.number}` : "Try a command"}>
          {current && (
            <PartGuard key={keyOf(current)} what="This rule" source={current}>
              <RuleDetail
                listed={current}
                counts={counts}
                onRemove={
                  current.ref.source === "user" && own?.state === "in-force" ? () => remove(current) : undefined
                }
              />
            </PartGuard>
          )}
          <TryCommand
            key={`${folders.length > 0} ${named.length > 0}`}
            folders={folders}
            agents={named}
            version={versionOf(files)}
          />
        </aside>
      </div>
      {isAdding && own !== undefined && (
        <AddRule
          file={own.path}
          folders={folders}
          agents={named}
          onClose={() => setAdding(false)}
          onAdded={({ ref, warnings }) => {
            setPicked(keyOf({ ref }))
            setDone({
              sentence: [`Added: ${ref.text}.`, ...warnings.map((warning) => `Warning: ${warning}.`)].join(" "),
              undo: () => removeRule(ref)
            })
          }}
        />
      )}
    </Page>
  )
}
