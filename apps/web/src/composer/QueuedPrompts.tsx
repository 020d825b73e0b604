import type { TurnId } from "@signalbox/contracts/Ids"
import type { TurnView } from "@signalbox/contracts/ThreadView"
import { Button, IconButton } from "../design/Button.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { promptWords } from "../transcript/promptWords.ts"
import styles from "./QueuedPrompts.module.css"

/** Prompts that wait for the turn before them. They can be taken back until the agent sees them. */
export const QueuedPrompts = (props: {
  readonly turns: ReadonlyArray<TurnView>
  readonly connected: boolean
  readonly withdraw: (turnId: TurnId) => void
  /** Takes the prompt back into the composer. */
  readonly edit: (turn: TurnView) => void
}) => (
  <ol className={styles["queue"]} aria-label="Queued prompts">
    {props.turns.map((turn, index) => {
      const text = promptWords(turn.prompt)
      return (
        <li key={turn.turnId} className={styles["prompt"]}>
          <Lamp status="queued" />
          <b>{props.turns.length > 1 ? `Queued, ${index + 1}` : "Queued"}</b>
          <span className="cut grow" title={text}>
            {text}
          </span>
          <Button
            bare
            inert={!props.connected}
            onClick={() => props.edit(turn)}
            title="Take it out of the queue and put it in the composer"
          >
            Edit
          </Button>
          <IconButton
            icon="x"
            label="Remove this prompt from the queue"
            inert={!props.connected}
            onClick={() => props.withdraw(turn.turnId)}
          />
        </li>
      )
    })}
  </ol>
)
