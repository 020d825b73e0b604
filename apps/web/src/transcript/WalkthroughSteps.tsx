/** A walkthrough as a list of its steps. A step opens its file at the line, if that is below the thread's folder. */
import { placeOf as markedPlace } from "@signalbox/contracts/Paths"
import type { ToolCall } from "@signalbox/contracts/ToolCall"
import { placeOf, type Walkthrough, type WalkthroughStep } from "@signalbox/contracts/Walkthrough"
import { Markdown } from "../markdown/Markdown.tsx"
import { useFileHref, useFiles } from "../text/files.ts"
import { proseText, Revealed, RevealedProse } from "../text/Revealed.tsx"
import styles from "./WalkthroughSteps.module.css"

const WalkthroughSteps = ({ walkthrough }: { readonly walkthrough: Walkthrough; readonly tool: ToolCall }) => (
  <ol className={styles["steps"]} aria-label={`Walkthrough: ${proseText(walkthrough.title)}`}>
    {walkthrough.steps.map((step, index) => (
      // eslint-disable-next-line react/no-array-index-key -- the place of a step is its identity
      <li key={index}>
        <StepHead step={step} number={index + 1} />
        {step.text !== undefined && (
          <div className={styles["text"]}>
            <Markdown text={step.text} />
          </div>
        )}
      </li>
    ))}
  </ol>
)

export default WalkthroughSteps

const StepHead = ({ number, step }: { readonly step: WalkthroughStep; readonly number: number }) => {
  const files = useFiles()
  const href = useFileHref(step.path, step.firstLine)
  const place = placeOf(step)
  const mark = files && step.path !== undefined ? markedPlace(step.path, files.cwd).mark : undefined
  const words = (
    <>
      <span className={styles["number"]} aria-hidden="true">
        {number}
      </span>
      <span className={styles["title"]}>
        <RevealedProse text={step.title} />
      </span>
      {place !== undefined && (
        <code className={styles["place"]}>
          <Revealed text={place} />
        </code>
      )}
      {mark !== undefined && <span className="tag">{mark}</span>}
    </>
  )
  return href === undefined ? (
    <p className={styles["head"]}>{words}</p>
  ) : (
    <a className={styles["head"]} href={href}>
      {words}
    </a>
  )
}
