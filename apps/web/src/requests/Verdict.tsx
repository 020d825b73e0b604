/** What is known of one part of a request beyond its words: where its paths lead, whether it leaves the machine, and the rule. */
import type { JudgedCommand, JudgedPath } from "@signalbox/contracts/Judgement"
import * as Paths from "@signalbox/contracts/Paths"
import { Lamp } from "../design/Lamp.tsx"
import { FilePath } from "../text/FilePath.tsx"
import { Revealed } from "../text/Revealed.tsx"
import styles from "./Verdict.module.css"
import { verdictWords } from "./verdictWords.ts"

type NotedPath = NonNullable<JudgedCommand["paths"]>[number]

export const isAlarming = ({ isInside, paths = [] }: JudgedCommand): boolean =>
  isInside === false || paths.some(({ outside }) => outside)

/** `isNamed`: it says which command it is about. */
export const CommandVerdict = (props: { readonly judged: JudgedCommand; readonly isNamed?: boolean }) => {
  const { isNamed, judged } = props
  const { leaves, paths = [], text } = judged
  return (
    <>
      {isNamed && (
        <code className={styles["named"]}>
          <Revealed text={text} />
        </code>
      )}
      {isAlarming(judged) && <Alarm text={Paths.outside} />}
      {paths.map((path) => (
        <LeadsTo key={path.path} {...path} />
      ))}
      {leaves !== undefined && <Leaves how={leaves} />}
      <VerdictWords verdict={judged} />
    </>
  )
}

export const VerdictWords = ({ verdict }: { readonly verdict: Parameters<typeof verdictWords>[0] }) => (
  <span className={styles["words"]} data-effect={verdict.effect}>
    <Revealed text={verdictWords(verdict)} />
  </span>
)

const Alarm = ({ text }: { readonly text: string }) => (
  <span className={styles["alarm"]}>
    <Lamp status="waiting" />
    {text}
  </span>
)

/** A note, and no verdict: what a program does shows only when it runs. */
export const Leaves = ({ how }: { readonly how: string }) => (
  <span className={styles["words"]}>
    <b>May leave this machine:</b> <Revealed text={how} />.
  </span>
)

const LeadsTo = ({ leadsTo, path }: NotedPath) => (
  <span className={styles["words"]}>
    <code>
      <FilePath path={path} asGiven />
    </code>
    {leadsTo !== null && leadsTo !== path && !leadsTo.endsWith(`/${path}`) && (
      <>
        {" leads to "}
        <code>
          <Revealed text={leadsTo} />
        </code>
      </>
    )}
  </span>
)

const accesses = { read: "reads", write: "writes", any: "uses" } as const

/** A file that the shell itself opens for a command. */
export const OpenedFile = ({ file }: { readonly file: JudgedPath }) => {
  const { access, leadsTo, outside, path } = file
  return (
    <p className={styles["file"]}>
      <span>{accesses[access]}</span>
      <span className={styles["facts"]}>
        <LeadsTo path={path} leadsTo={leadsTo} />
        {outside && <Alarm text={Paths.outside} />}
        <VerdictWords verdict={file} />
      </span>
    </p>
  )
}
