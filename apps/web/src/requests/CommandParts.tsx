/** Shows a whole command: its parts in order, each with the condition that runs it and the text that was not examined. */
import type { JudgedCommand } from "@signalbox/contracts/Judgement"
import { Lamp } from "../design/Lamp.tsx"
import { Revealed } from "../text/Revealed.tsx"
import { count } from "../words/figures.ts"
import { type CommandPart, programOf, readCommand, runsWhen } from "./command.ts"
import styles from "./CommandParts.module.css"
import { CommandVerdict, isAlarming } from "./Verdict.tsx"

export const CommandParts = (props: { readonly command: string; readonly judged: ReadonlyArray<JudgedCommand> }) => {
  const { command, judged } = props
  const { parts, unread } = readCommand(command)
  const beside = commandsOf(parts, judged)
  return (
    <>
      <ol className={styles["parts"]}>
        {parts.map((part, index) => (
          <Part
            // eslint-disable-next-line react/no-array-index-key -- parts are identified by their place
            key={index}
            part={part}
            number={parts.length > 1 ? index + 1 : undefined}
            judged={beside?.[index] ?? []}
          />
        ))}
      </ol>
      {unread !== undefined && (
        <p className={styles["note"]}>
          <Lamp status="waiting" />
          {unread}
        </p>
      )}
      {beside === undefined && judged.length > 0 && <Commands judged={judged} />}
    </>
  )
}

/**
 * The commands of each part: those in its substitutions, and then itself. Undefined where it is not clear which part a command belongs to, as
 * in groups and loops.
 */
const commandsOf = (
  parts: ReadonlyArray<CommandPart>,
  judged: ReadonlyArray<JudgedCommand>
): ReadonlyArray<ReadonlyArray<JudgedCommand>> | undefined => {
  let from = 0
  const all: Array<ReadonlyArray<JudgedCommand>> = []
  for (const { text } of parts) {
    const end = judged.findIndex((command, index) => index >= from && isText(command.text, text))
    const commands = judged.slice(from, end + 1)
    if (end === -1 || !commands.every((command) => isText(command.text, text) || text.includes(command.text)))
      return undefined
    all.push(commands)
    from = end + 1
  }
  return from === judged.length ? all : undefined
}

/** The server cuts long texts. */
const isText = (said: string, text: string): boolean =>
  said === text || (said.endsWith("…") && text.startsWith(said.slice(0, -1)))

/** The commands of a line that does not fall into parts of one command each: those in substitutions, groups and loops, too. */
const Commands = ({ judged }: { readonly judged: ReadonlyArray<JudgedCommand> }) => (
  <>
    <h4 className={styles["heading"]}>{count(judged.length, "command")} in it</h4>
    <ul className={styles["parts"]}>
      {judged.map((command, index) => (
        // eslint-disable-next-line react/no-array-index-key -- commands are identified by their place
        <li key={index} className={styles["part"]} data-note={isAlarming(command) || undefined}>
          <span className={styles["number"]} />
          <code className={styles["command"]}>
            <Revealed text={command.text} />
          </code>
          <span className={styles["means"]}>
            <CommandVerdict judged={command} />
          </span>
        </li>
      ))}
    </ul>
  </>
)

/** A longer text takes the whole width, and its verdict stands above it. */
const longest = 400

const Part = (props: {
  readonly part: CommandPart
  readonly number: number | undefined
  readonly judged: ReadonlyArray<JudgedCommand>
}) => {
  const { judged, number, part } = props
  const { before, program, rest } = programOf(part.text)
  const isNoted = part.notes.length > 0 || judged.some(isAlarming)
  return (
    <li className={styles["part"]} data-note={isNoted || undefined} data-long={part.text.length > longest || undefined}>
      <span className={styles["number"]}>{number}</span>
      <code className={styles["command"]}>
        {part.operator !== undefined && (
          <span className={styles["operator"]}>{part.operator === "\n" ? "↵" : part.operator} </span>
        )}
        <Revealed text={before} />
        <b>
          <Revealed text={program} />
        </b>
        <Revealed text={rest} />
      </code>
      <span className={styles["means"]}>
        {part.operator !== undefined && <span>{runsWhen(part.operator)}</span>}
        {part.notes.map((note) => (
          <span key={note} className={styles["note"]}>
            <Lamp status="waiting" />
            {note}
          </span>
        ))}
        {judged.map((command, index) => (
          // eslint-disable-next-line react/no-array-index-key -- commands are identified by their place
          <CommandVerdict key={index} judged={command} isNamed={judged.length > 1} />
        ))}
      </span>
    </li>
  )
}
