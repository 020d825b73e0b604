import type { AgentModels } from "@signalbox/contracts/AgentModel"
import { proseText } from "../text/Revealed.tsx"
import styles from "./StartDialog.module.css"

/** Chooses the model of a new thread. An empty `value` is no choice. */
export const ModelField = (props: {
  readonly models: AgentModels
  readonly value: string
  readonly choose: (value: string) => void
}) => (
  <select
    aria-label="Model"
    title="Without a choice, the model of last time is used, else the agent’s own"
    className={`field ${styles["model"]}`}
    value={props.value}
    onChange={(event) => props.choose(event.target.value)}
  >
    <option value="">No model chosen</option>
    {props.models.models.map(({ name, value }) => (
      <option key={value} value={value}>
        {proseText(name)}
      </option>
    ))}
  </select>
)
