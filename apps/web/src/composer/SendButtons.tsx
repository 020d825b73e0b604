import { runningTurn } from "@signalbox/threads/ThreadProjection"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { ctrl } from "../browser/shortcuts.ts"
import { Button } from "../design/Button.tsx"
import styles from "./Composer.module.css"

interface Sending {
  readonly connected: boolean
  /** A prompt is on its way to the server. */
  readonly sending: boolean
  readonly onClick: () => void
}

/** Sends the prompt, or queues it behind what runs or is held, which is `waits`. */
export const SendButton = (props: Sending & { readonly waits: boolean; readonly empty: boolean }) => {
  const { connected, empty, onClick, sending, waits } = props
  return (
    <Button
      icon="enter"
      className={waits ? styles["queueing"] : undefined}
      solid={!waits && !empty && connected}
      needs="operate"
      inert={empty || sending || !connected}
      onClick={onClick}
      title={connected ? `${ctrl} Enter` : "Not connected: the draft is kept in this browser"}
    >
      {waits ? "Queue" : "Send"}
      {!waits && (
        <kbd className="wide-only" aria-hidden="true">
          {ctrl} Enter
        </kbd>
      )}
    </Button>
  )
}

/** What sending between does, in the button and behind it. */
const wordsBetween = (view: ThreadView): { readonly label: string; readonly effect: string } => {
  if (runningTurn(view) === undefined)
    return { label: "Send now", effect: "This is sent at once; what is held stays so" }
  if (view.session.capabilities?.steering === "agent")
    return { label: "Say it now", effect: `${view.provider.name} takes it into the turn that runs` }
  return {
    label: "Stop and send",
    effect: "The turn that runs is stopped, and this is sent next, before what waits"
  }
}

/** Sends the prompt before all that waits. */
export const BetweenButton = ({ connected, onClick, sending, view }: Sending & { readonly view: ThreadView }) => {
  const { effect, label } = wordsBetween(view)
  return (
    <Button
      icon="in"
      className={styles["between"]}
      needs="operate"
      inert={sending || !connected}
      onClick={onClick}
      title={`${ctrl} Shift Enter · ${effect}`}
    >
      {label}
    </Button>
  )
}
