/** What researchers have found in the folder of a thread, also for earlier threads. */
import { type KeptResearch, type KeptResearchList, most } from "@signalbox/contracts/KeptResearch"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { useEffect, useState } from "react"
import { problemOf } from "../connection/commands.ts"
import { listResearch } from "../connection/research.ts"
import { Button } from "../design/Button.tsx"
import { Dialog } from "../design/Dialog.tsx"
import { Icon } from "../design/Icon.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { Markdown } from "../markdown/Markdown.tsx"
import { ProblemCard } from "../problems/ProblemCard.tsx"
import { Revealed, RevealedProse } from "../text/Revealed.tsx"
import { count } from "../words/figures.ts"
import { fullTime } from "../words/time.ts"
import shared from "../design/ListDialog.module.css"
import styles from "./ResearchDialog.module.css"

export const ResearchDialog = (props: {
  readonly view: Pick<ThreadView, "cwd" | "provider">
  readonly onClose: () => void
}) => {
  const { onClose, view } = props
  const { cwd, provider } = view
  const [list, setList] = useState<KeptResearchList>()
  const [problem, setProblem] = useState<Problem>()
  useEffect(() => {
    const gone = new AbortController()
    listResearch(provider.id, cwd, gone.signal).then(
      (found) => gone.signal.aborted || setList(found),
      (error: unknown) => gone.signal.aborted || setProblem(problemOf(error))
    )
    return () => gone.abort()
  }, [provider.id, cwd])
  return (
    <Dialog title="Research of packages" onClose={onClose}>
      <div className={shared["body"]}>
        {problem && <ProblemCard problem={problem} />}
        {list && (
          <p className="quiet">
            {list.research.length === 0 ? "Nothing was asked yet" : "What was asked"} in <Revealed text={cwd} />.
          </p>
        )}
        {list && (
          <ol className={styles["list"]} aria-label="Research">
            {list.research.map((one) => (
              <Kept key={one.id} research={one} />
            ))}
          </ol>
        )}
        {list?.unread.map((sentence) => (
          <p key={sentence} className={shared["problem"]}>
            <Lamp status="failed" /> <Revealed text={sentence} />
          </p>
        ))}
      </div>
      <div className={shared["foot"]}>
        <span className="meta grow">
          {list && `${howMany(list.research.length)}, the latest first. They are kept on this machine.`}
        </span>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  )
}

/** More than a list has may be kept. */
const howMany = (listed: number): string =>
  listed === most.listed ? `The last ${most.listed} questions` : count(listed, "question")

const Kept = ({ research }: { readonly research: KeptResearch }) => {
  const { at, ecosystem, findings, left, package: name, prompt, timedOut, version } = research
  return (
    <li>
      <details>
        <summary>
          <Icon name="right" />
          <span className={styles["what"]}>
            <Revealed text={name} /> <Revealed text={version} />
          </span>
          <span className="meta">
            <Revealed text={ecosystem} /> · <time>{fullTime(at)}</time>
          </span>
          <span className={styles["prompt"]}>
            <RevealedProse text={prompt} />
          </span>
        </summary>
        {findings === "" ? <p className="quiet">Nothing was found.</p> : <Markdown text={findings} />}
        {left > 0 && <p className="quiet">{count(left, "more character")} of it can be read by the agent only.</p>}
        {timedOut && <p className="quiet">Its time was over before it had ended.</p>}
      </details>
    </li>
  )
}
