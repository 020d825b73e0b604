/** A terminal in which Signalbox runs a program for the agent: its output as it comes, and how it ended. */
import type { ToolTerminal } from "@signalbox/contracts/ToolCall"
import type { TextAddress } from "../connection/outputs.ts"
import { Lamp } from "../design/Lamp.tsx"
import { Output } from "./Output.tsx"
import { shownPath } from "@signalbox/contracts/Paths"
import { Revealed } from "./Revealed.tsx"
import styles from "./TerminalOutput.module.css"
import { useThreadFacts } from "./ThreadFacts.ts"

export const TerminalOutput = (props: {
  readonly terminal: ToolTerminal
  /** As the call shows it already. */
  readonly command: string | undefined
  /** Where the whole output is, when only its beginning is here. */
  readonly long: TextAddress | undefined
}) => {
  const { command, long, terminal } = props
  const { agent, cwd } = useThreadFacts()
  if (terminal.state === "missing")
    return (
      <p className={styles["ending"]} data-bad="">
        <Lamp status="failed" />
        <span>
          {agent} shows a terminal that it never had here: <code>{terminal.terminalId}</code>
        </span>
      </p>
    )
  const running = terminal.state === "running"
  return (
    <div data-terminal={terminal.state}>
      {terminal.command !== undefined && terminal.command !== command && (
        <pre className={`well ${styles["command"] ?? ""}`}>
          {terminal.cwd !== undefined && terminal.cwd !== cwd && (
            <span>
              <Revealed text={shownPath(terminal.cwd, cwd)} />{" "}
            </span>
          )}
          <span>$ </span>
          <Revealed text={terminal.command} />
        </pre>
      )}
      {terminal.output !== "" && (
        <Output
          text={terminal.output}
          label={running ? "Output so far" : "Output"}
          from="end"
          note={
            terminal.truncated
              ? running
                ? "The last part only; it goes on."
                : "The beginning was not kept."
              : undefined
          }
          long={long}
        />
      )}
      <p className={styles["ending"]}>
        <Lamp status={running ? "working" : terminal.exitCode === 0 ? "completed" : "failed"} />
        <span>{endingWords(terminal)}</span>
      </p>
    </div>
  )
}

const endingWords = ({ exitCode, output, signal, state }: ToolTerminal): string => {
  if (state === "running") return output === "" ? "Running, nothing printed yet" : "Running"
  const silent = output === "" ? ", nothing printed" : ""
  if (signal !== undefined) return `Ended by ${signal}${silent}`
  return exitCode === undefined ? `Ended${silent}` : `Ended with exit code ${exitCode}${silent}`
}
