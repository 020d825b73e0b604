/** What the agent did: one line, and what can be seen of it. */
import { exitCodeOf, isRunning, type ToolCall, wentWrong } from "@signalbox/contracts/ToolCall"
import type { ItemView } from "@signalbox/contracts/ThreadView"
import { Lamp } from "../design/Lamp.tsx"
import { duration, elapsed } from "../words/time.ts"
import { DiffFigures } from "../diff/Diff.tsx"
import { EntryFrame, EntryLine } from "./Entry.tsx"
import styles from "./Entry.module.css"
import { useOpen } from "./openings.ts"
import { OpenFile } from "./OpenFile.tsx"
import { hasLongDiffs } from "../words/longTexts.ts"
import { Revealed } from "../text/Revealed.tsx"
import { useThreadFacts } from "./ThreadFacts.ts"
import { ToolDetail, hasDetail } from "./ToolDetail.tsx"
import { fileOf, notApplied, toolIcon, toolOutcome, toolSubject, toolVerb, wasOnlyWanted } from "../words/toolWords.ts"

export const ToolEntry = (props: {
  readonly item: Extract<ItemView, { readonly type: "tool" }>
  readonly current: boolean
  readonly now: number | undefined
  /** People were asked to allow it and have not answered. */
  readonly asked: boolean
  /** They have a request of it before them, of whatever kind. */
  readonly waits: boolean
  /** How long people took over its requests: no time of the tool's own. */
  readonly waitedMs: number
}) => {
  const { asked, item, now, waitedMs, waits } = props
  const { tool } = item
  const { cwd, threadId } = useThreadFacts()
  const file = fileOf(tool, cwd)
  const running = isRunning(tool)
  // What is asked stands on the desk.
  const opening = useOpen(item.itemId, !(asked && running) && opensByItself(tool))
  const detail = hasDetail(tool)
  const open = detail && opening.open
  const subject = toolSubject(tool, cwd)
  const until = tool.endedAt ?? (running && !asked && !waits ? now : undefined)
  const ms =
    until === undefined || tool.walkthrough !== undefined || wasOnlyWanted(tool, asked)
      ? undefined
      : Math.max(0, until - tool.startedAt - waitedMs)
  return (
    <EntryFrame at={item.at} icon={toolIcon(tool)} current={props.current}>
      <div className={open || (running && opensInCard(tool)) ? styles["paper"] : undefined}>
        <EntryLine
          verb={toolVerb(tool, asked)}
          marks={item}
          after={file && threadId && <OpenFile threadId={threadId} {...file} />}
          opening={detail ? opening : undefined}
          end={
            <>
              {(asked || waits) && running ? <span>waits for you</span> : <Outcome tool={tool} />}
              <span
                className={styles["took"]}
                title={waitedMs > 0 ? `Without ${duration(waitedMs)} of waiting for an answer` : undefined}
              >
                {ms === undefined ? "" : running ? elapsed(ms) : duration(ms)}
              </span>
            </>
          }
        >
          <span className={styles["subject"]} data-voice={subject.voice}>
            <Revealed text={subject.text} />
            {subject.within !== undefined && (
              <>
                <span className={styles["within"]}> in </span>
                <Revealed text={subject.within} />
              </>
            )}
          </span>
        </EntryLine>
        {open && <ToolDetail tool={tool} itemId={item.itemId} />}
      </div>
    </EntryFrame>
  )
}

/** Edits and commands are papers; reads and searches stay lines until they are opened. */
const opensInCard = ({ kind, subject }: ToolCall): boolean =>
  subject.type === "command" || kind === "edit" || kind === "execute"

/** Walkthroughs, research, edits, and commands that printed something, here or at the agent's. */
const opensByItself = (tool: ToolCall): boolean => {
  if (tool.status === "rejected") return false
  if (tool.walkthrough !== undefined || tool.research !== undefined) return true
  const left = tool.status === "cancelled" || tool.status === "unfinished"
  if ((tool.diffs.length > 0 && !left) || tool.terminals?.some(({ output }) => output !== "")) return true
  return (
    opensInCard(tool) && [tool.result?.stdout, tool.result?.stderr].some((text) => text !== undefined && text !== "")
  )
}

const Outcome = ({ tool }: { readonly tool: ToolCall }) => {
  const outcome = toolOutcome(tool)
  const wrong = wentWrong(tool)
  return (
    <>
      {tool.diffs.length > 0 && notApplied(tool) === undefined && !hasLongDiffs(tool) && (
        <DiffFigures diffs={tool.diffs} />
      )}
      {outcome !== undefined &&
        (wrong || exitCodeOf(tool) !== undefined ? (
          <span className={styles["exit"]} data-bad={wrong || undefined}>
            <Lamp status={wrong ? "failed" : "completed"} />
            {outcome}
          </span>
        ) : (
          <span>{outcome}</span>
        ))}
    </>
  )
}
