/** Shows a whole command: its parts in order, each with the condition that runs it and the text that was not examined. */
import { Lamp } from "../design/Lamp.tsx"
import { Revealed } from "../text/Revealed.tsx"
import { type CommandPart, programOf, readCommand, runsWhen } from "./command.ts"
import styles from "./CommandParts.module.css"

export const CommandParts = ({ command }: { readonly command: string }) => {
  const { parts, unread } = readCommand(command)
  return (
    <>
      <ol className={styles["parts"]}>
        {parts.map((part, index) => (
          // eslint-disable-next-line react/no-array-index-key -- parts are identified by their place
          <Part key={index} part={part} number={parts.length > 1 ? index + 1 : undefined} />
        ))}
      </ol>
      {unread !== undefined && (
        <p className={styles["note"]}>
          <Lamp status="waiting" />
          {unread}
        </p>
      )}
    </>
  )
}

const Part = ({ number, part }: { readonly part: CommandPart; readonly number: number | undefined }) => {
  const { before, program, rest } = programOf(part.text)
  return (
    <li className={styles["part"]} data-note={part.notes.length > 0 || undefined}>
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
      </span>
    </li>
  )
}
