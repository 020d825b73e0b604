/** A terminal, Signalbox's for the agent or the agent's own: its output as it comes, and how it ended. */
import type { ToolTerminal } from "@signalbox/contracts/ToolCall"
import type { TextAddress } from "../connection/outputs.ts"
import { Lamp } from "../design/Lamp.tsx"
import type { LampStatus } from "../design/status.ts"
import { Output } from "./Output.tsx"
import { shownPath } from "@signalbox/contracts/Paths"
import { Revealed, RevealedProse } from "../text/Revealed.tsx"
import styles from "./TerminalOutput.module.css"
import { useThreadFacts } from "./ThreadFacts.ts"

export const TerminalOutput = (props: {
  readonly terminal: ToolTerminal
  /** The command that the call shows already. */
  readonly command: string | undefined
  /** The folder where the command runs, if the call says so. */
  readonly folder: string | undefined
  /** The address of the whole output, when only its beginning is here. */
  readonly long: TextAddress | undefined
}) => {
  const { command, folder, long, terminal } = props
  const { agent, cwd } = useThreadFacts()
  if (terminal.state === "missing")
    return (
      <p className={styles["ending"]}>
        <Lamp status="queued" />
        <span>
          {agent} tells nothing of this terminal:{" "}
          <code>
            <Revealed text={terminal.terminalId} />
          </code>
        </span>
      </p>
    )
  const elsewhere = terminal.cwd !== undefined && terminal.cwd !== cwd && terminal.cwd !== folder
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
      {terminal.command === undefined && elsewhere && (
        <p className={styles["ending"]}>
          <span>
            In{" "}
            <code>
              <Revealed text={shownPath(terminal.cwd ?? "", cwd)} />
            </code>
          </span>
        </p>
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
        <Lamp status={lampOf(terminal)} />
        <span>
          <RevealedProse text={endingWords(terminal)} />
        </span>
      </p>
    </div>
  )
}

const lampOf = ({ exitCode, signal, state }: ToolTerminal): LampStatus => {
  if (state === "running") return "working"
  if (exitCode === 0) return "completed"
  return exitCode === undefined && signal === undefined ? "queued" : "failed"
}

const endingWords = ({ exitCode, output, signal, state }: ToolTerminal): string => {
  if (state === "running") return output === "" ? "Running, nothing printed yet" : "Running"
  if (state === "unknown") return output === "" ? "Nothing printed" : "How it ended is not known"
  const silent = output === "" ? ", nothing printed" : ""
  if (exitCode !== undefined) return `Ended with exit code ${exitCode}${silent}`
  return signal === undefined ? `Ended${silent}` : `Ended by ${signal}${silent}`
}
