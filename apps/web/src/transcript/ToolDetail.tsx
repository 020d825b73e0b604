/** Everything that is known of a tool call: what it was given, what it changed and printed, and both as they were sent. */
import type { ItemId } from "@signalbox/contracts/Ids"
import { type FileDiff, subjectOf, type ToolCall } from "@signalbox/contracts/ToolCall"
import { lazy, Suspense, useState } from "react"
import type { TextAddress } from "../connection/outputs.ts"
import { Diff, DiffFigures } from "../diff/Diff.tsx"
import { Content } from "./Content.tsx"
import { LongDiff, type LongSides } from "./LongDiff.tsx"
import { longPart } from "../words/longTexts.ts"
import styles from "./ToolDetail.module.css"
import { Output } from "./Output.tsx"
import { Several } from "./Several.tsx"
import { TerminalOutput } from "./TerminalOutput.tsx"
import { shownPath } from "@signalbox/contracts/Paths"
import { Raw } from "./Raw.tsx"
import { FilePath } from "../text/FilePath.tsx"
import { Revealed } from "../text/Revealed.tsx"
import { useThreadFacts } from "./ThreadFacts.ts"
import { isRepeatedOutput } from "./repeatedOutput.ts"
import { notApplied } from "../words/toolWords.ts"

/** Few threads have walkthroughs. What can't be loaded is shown as text. */
const WalkthroughSteps = lazy(() => import("./WalkthroughSteps.tsx").catch(() => ({ default: PlainText })))

/** Few threads have research. What can't be loaded is shown as text. */
const ResearchSteps = lazy(() => import("./ResearchSteps.tsx").catch(() => ({ default: PlainText })))

const PlainText = ({ tool }: { readonly tool: ToolCall }) => (
  <div className={styles["content"]}>
    {tool.content.map((part, index) => (
      // eslint-disable-next-line react/no-array-index-key -- content has no identity of its own
      <Content key={index} part={part} />
    ))}
  </div>
)

/** Whether there is anything to open. */
export const hasDetail = (tool: ToolCall): boolean =>
  tool.diffs.length > 0 ||
  tool.content.length > 0 ||
  tool.locations.length > 0 ||
  (tool.terminals !== undefined && tool.terminals.length > 0) ||
  tool.subject.type === "command" ||
  tool.subject.type === "task" ||
  (tool.result !== undefined && Object.keys(tool.result).length > 0) ||
  tool.rawInput !== undefined ||
  tool.rawOutput !== undefined

/** `itemId`: the entry under which texts of the call are kept that are too long to come with it. */
export const ToolDetail = ({ itemId, tool }: { readonly tool: ToolCall; readonly itemId?: ItemId }) => {
  const { agent, cwd, threadId } = useThreadFacts()
  const addressOf: AddressOf = (part) => {
    const long = longPart(tool, part)
    return long && itemId !== undefined && threadId !== undefined ? { threadId, itemId, long } : undefined
  }
  const { result } = tool
  if (tool.research !== undefined)
    return (
      <div className={styles["detail"]}>
        <Suspense>
          <ResearchSteps tool={tool} research={tool.research} />
        </Suspense>
      </div>
    )
  if (tool.walkthrough !== undefined)
    return (
      <div className={styles["detail"]}>
        <Suspense>
          <WalkthroughSteps tool={tool} walkthrough={tool.walkthrough} />
        </Suspense>
        <AsSent tool={tool} addressOf={addressOf} />
      </div>
    )
  const subject = subjectOf(tool)
  // What a command printed ends with what matters; what was read begins with it.
  const printed = tool.kind === "execute" || subject.type === "command"
  const cutShort = result?.truncated ? `Cut short by ${agent}.` : undefined
  const places = tool.locations.filter(({ line, path }) => line !== undefined || subject.type === "none" || path === "")
  return (
    <div className={styles["detail"]}>
      {subject.type === "command" && (
        <pre className={`well ${styles["command"] ?? ""}`}>
          {subject.cwd !== undefined && shownPath(subject.cwd, cwd) !== cwd && (
            <span className={styles["prompt"]}>
              <Revealed text={shownPath(subject.cwd, cwd)} />{" "}
            </span>
          )}
          <span className={styles["prompt"]}>$ </span>
          <Revealed text={subject.command} />
        </pre>
      )}
      {subject.type === "mcp" && subject.args !== undefined && <Raw json={subject.args} label="Arguments" />}
      {subject.type === "task" && subject.prompt !== undefined && (
        <Output text={subject.prompt} label="The sub-agent's prompt" from="start" />
      )}
      <Several list={tool.diffs} noun="change">
        {(diff, index) => (
          <FileChange
            // eslint-disable-next-line react/no-array-index-key -- a call may change one file twice
            key={index}
            diff={diff}
            alone={tool.diffs.length === 1 && subject.type === "file"}
            missing={notApplied(tool)}
            sides={{ old: addressOf(`diff:${index}:old`), new: addressOf(`diff:${index}:new`) }}
          />
        )}
      </Several>
      <Several list={tool.terminals ?? []} noun="terminal">
        {(terminal, index) => (
          <TerminalOutput
            key={terminal.terminalId}
            terminal={terminal}
            command={subject.type === "command" ? subject.command : undefined}
            folder={subject.type === "command" ? subject.cwd : undefined}
            long={addressOf(`terminal:${index}`)}
          />
        )}
      </Several>
      {result?.error !== undefined &&
        (addressOf("error") ? (
          <Output text={result.error} label="What went wrong" from="start" long={addressOf("error")} />
        ) : (
          <p className={styles["note"]} data-bad="">
            <Revealed output text={result.error} />
          </p>
        ))}
      {result?.stdout !== undefined && result.stdout !== "" && (
        <Output text={result.stdout} label="Output" note={cutShort} long={addressOf("stdout")} />
      )}
      {result?.stderr !== undefined && result.stderr !== "" && (
        <Output
          text={result.stderr}
          label="Errors"
          note={result.stdout ? "standard error" : cutShort}
          long={addressOf("stderr")}
        />
      )}
      {result?.text !== undefined && result.text !== "" && (
        <Output
          text={result.text}
          label={printed ? "Output" : "Result"}
          from={printed ? "end" : "start"}
          note={cutShort}
          long={addressOf("text")}
        />
      )}
      {places.length > 0 && (
        <p className={styles["note"]}>
          <Several list={places} noun="place">
            {({ line, path }, index) => (
              // eslint-disable-next-line react/no-array-index-key -- a call may name one place twice
              <code key={index}>
                {index > 0 && ", "}
                <FilePath path={path} line={line} />
              </code>
            )}
          </Several>
        </p>
      )}
      {tool.content.length > 0 && (
        <div className={styles["content"]}>
          <Several list={tool.content} noun="piece">
            {(part, index) =>
              isRepeatedOutput(part, index, tool) ? null : (
                // eslint-disable-next-line react/no-array-index-key -- content has no identity of its own
                <Content key={index} part={part} long={addressOf(`content:${index}`)} printed={printed} />
              )
            }
          </Several>
        </div>
      )}
      <AsSent tool={tool} addressOf={addressOf} />
    </div>
  )
}

/** The address of the whole of a text, if the call holds only its beginning. */
type AddressOf = (part: string) => TextAddress | undefined

const FileChange = (props: {
  readonly diff: FileDiff
  readonly alone: boolean
  readonly sides: LongSides
  /** Why this change is not known to be made. */
  readonly missing: string | undefined
}) => {
  const { alone, diff, missing, sides } = props
  const begun = sides.old !== undefined || sides.new !== undefined
  return (
    <div className={styles["file"]} data-missing={missing}>
      {(!alone || missing !== undefined) && (
        <p className={styles["path"]}>
          <code>
            <FilePath path={diff.path} />
          </code>
          {diff.oldText === null && <span className="tag">new</span>}
          {missing !== undefined && <span className="tag">{missing}</span>}
          <span className={styles["figures"]}>{!begun && missing === undefined && <DiffFigures diffs={[diff]} />}</span>
        </p>
      )}
      {begun ? <LongDiff diff={diff} sides={sides} /> : <Diff diff={diff} />}
    </div>
  )
}

/** The agent's own title, input and output, for whoever wants to check ours against them. */
const AsSent = ({ addressOf, tool }: { readonly tool: ToolCall; readonly addressOf: AddressOf }) => {
  const { agent } = useThreadFacts()
  const [shown, setShown] = useState<"input" | "output">()
  const flip = (which: "input" | "output") => () => setShown(shown === which ? undefined : which)
  if (tool.rawInput === undefined && tool.rawOutput === undefined) return null
  const json = shown === "input" ? tool.rawInput : shown === "output" ? tool.rawOutput : undefined
  return (
    <>
      <div className={styles["foot"]}>
        <span className={styles["title"]}>
          {agent} calls it “<Revealed text={tool.title} />”
        </span>
        {tool.rawInput !== undefined && (
          <button type="button" className="link" aria-expanded={shown === "input"} onClick={flip("input")}>
            Raw input
          </button>
        )}
        {tool.rawOutput !== undefined && (
          <button type="button" className="link" aria-expanded={shown === "output"} onClick={flip("output")}>
            Raw output
          </button>
        )}
      </div>
      {json !== undefined && (
        <Raw
          key={shown}
          json={json}
          label={`Raw ${shown ?? ""}`}
          long={addressOf(shown === "input" ? "rawInput" : "rawOutput")}
        />
      )}
    </>
  )
}
