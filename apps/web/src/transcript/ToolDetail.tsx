/** Everything that is known of a tool call: what it was given, what it changed and printed, and both as they were sent. */
import type { FileDiff, ToolCall } from "@signalbox/contracts/ToolCall"
import { useState } from "react"
import { Diff, DiffFigures } from "../diff/Diff.tsx"
import { Content } from "./Content.tsx"
import styles from "./ToolDetail.module.css"
import { Output } from "./Output.tsx"
import { shownPath } from "./paths.ts"
import { Raw } from "./Raw.tsx"
import { Revealed } from "./Revealed.tsx"
import { useThreadFacts } from "./ThreadFacts.ts"

/** Whether there is anything to open. */
export const hasDetail = (tool: ToolCall): boolean =>
  tool.diffs.length > 0 ||
  tool.content.length > 0 ||
  tool.locations.length > 0 ||
  tool.subject.type === "command" ||
  tool.subject.type === "task" ||
  (tool.result !== undefined && Object.keys(tool.result).length > 0) ||
  tool.rawInput !== undefined ||
  tool.rawOutput !== undefined

export const ToolDetail = ({ tool }: { readonly tool: ToolCall }) => {
  const { agent, cwd } = useThreadFacts()
  const { result, subject } = tool
  const cutShort = result?.truncated ? `Cut short by ${agent}.` : undefined
  const places = tool.locations.filter(
    ({ line, path }) => line !== undefined || tool.subject.type === "none" || path === ""
  )
  return (
    <div className={styles["detail"]}>
      {subject.type === "command" && (
        <pre className={`well ${styles["command"] ?? ""}`}>
          {subject.cwd !== undefined && shownPath(subject.cwd, cwd) !== cwd && (
            <span className={styles["prompt"]}>{shownPath(subject.cwd, cwd)} </span>
          )}
          <span className={styles["prompt"]}>$ </span>
          <Revealed text={subject.command} />
        </pre>
      )}
      {subject.type === "mcp" && subject.args !== undefined && <Raw json={subject.args} label="Arguments" />}
      {subject.type === "task" && subject.prompt !== undefined && (
        <Output text={subject.prompt} label="What the sub-agent was told" from="start" />
      )}
      {tool.diffs.map((diff, index) => (
        // eslint-disable-next-line react/no-array-index-key -- a call may change one file twice
        <FileChange key={index} diff={diff} alone={tool.diffs.length === 1 && subject.type === "file"} />
      ))}
      {result?.error !== undefined && (
        <p className={styles["note"]} data-bad="">
          <Revealed output text={result.error} />
        </p>
      )}
      {result?.stdout !== undefined && result.stdout !== "" && (
        <Output text={result.stdout} label="Output" note={cutShort} />
      )}
      {result?.stderr !== undefined && result.stderr !== "" && (
        <Output text={result.stderr} label="Errors" note={result.stdout ? "standard error" : cutShort} />
      )}
      {result?.text !== undefined && result.text !== "" && (
        <Output text={result.text} label="Result" from="start" note={cutShort} />
      )}
      {places.length > 0 && (
        <p className={styles["note"]}>
          {places.map(({ line, path }, index) => (
            <code key={`${path}:${line ?? ""}`}>
              {index > 0 && ", "}
              <Revealed text={line === undefined ? shownPath(path, cwd) : `${shownPath(path, cwd)}:${line}`} />
            </code>
          ))}
        </p>
      )}
      {tool.content.length > 0 && (
        <div className={styles["content"]}>
          {tool.content.map((part, index) => (
            // eslint-disable-next-line react/no-array-index-key -- content has no identity of its own
            <Content key={index} part={part} />
          ))}
        </div>
      )}
      <AsSent tool={tool} />
    </div>
  )
}

const FileChange = ({ alone, diff }: { readonly diff: FileDiff; readonly alone: boolean }) => {
  const { cwd } = useThreadFacts()
  return (
    <div className={styles["file"]}>
      {!alone && (
        <p className={styles["path"]}>
          <code>
            <Revealed text={shownPath(diff.path, cwd)} />
          </code>
          {diff.oldText === null && <span className="tag">new</span>}
          <span className={styles["figures"]}>
            <DiffFigures diffs={[diff]} />
          </span>
        </p>
      )}
      <Diff diff={diff} />
    </div>
  )
}

/** The agent's own title, input and output, for whoever wants to check ours against them. */
const AsSent = ({ tool }: { readonly tool: ToolCall }) => {
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
      {json !== undefined && <Raw json={json} label={`Raw ${shown ?? ""}`} />}
    </>
  )
}
