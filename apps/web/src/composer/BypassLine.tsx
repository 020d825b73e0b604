/** A bypass is visible as long as it lasts, with the button that turns it off. */
import type { Problem } from "@signalbox/contracts/Problem"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { useStore } from "../browser/Store.ts"
import { problemOf, send } from "../connection/commands.ts"
import { providers } from "../connection/providers.ts"
import { Button } from "../design/Button.tsx"
import { Lamp, StateWord } from "../design/Lamp.tsx"
import styles from "./BypassLine.module.css"
import { profileState } from "../words/profile.ts"

export const BypassLine = (props: {
  readonly view: ThreadView
  readonly connected: boolean
  readonly tell: (problem: Problem | undefined) => void
}) => {
  const { connected, tell, view } = props
  const agents = useStore(providers)
  const { by, profile } = profileState(view, agents)
  if (profile !== "bypass") return null
  const isReady = view.session.state === "ready"
  /** Without the choice for the session, another bypass may come to light: then people are asked until the session ends. */
  const turnOff = () => {
    tell(undefined)
    const { profile: _, ...session } = view.session
    const isElsewhere = profileState({ ...view, session }, agents).profile === "bypass"
    send(view.threadId, { type: "profile.choose", ...(isElsewhere && { profile: "ask" }) }).catch((error: unknown) =>
      tell(problemOf(error))
    )
  }
  return (
    <section className={styles["line"]} aria-label="Bypass">
      <Lamp status="waiting" />
      <p>
        <StateWord status="waiting">{bypassWords[by](view.provider.name)}</StateWord>{" "}
        <span>Nothing is asked for, unless a rule denies it or asks about it.</span>
      </p>
      <Button
        needs="operate"
        inert={!connected || !isReady}
        onClick={turnOff}
        title={isReady ? "You are asked again, until this session ends" : "No session runs now"}
      >
        {by === "session" ? "Turn off" : "Turn off here"}
      </Button>
    </section>
  )
}

const bypassWords = {
  session: () => "Bypass until this session ends",
  thread: () => "Bypass, chosen when this thread was started",
  settings: (agent: string) => `Bypass, by the settings of ${agent}`
}
