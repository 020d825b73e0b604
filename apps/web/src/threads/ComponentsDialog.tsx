import type { Problem } from "@signalbox/contracts/Problem"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { useState } from "react"
import { useStore } from "../browser/Store.ts"
import { problemOf, send } from "../connection/commands.ts"
import { settingsFile } from "../connection/settingsFile.ts"
import { Button } from "../design/Button.tsx"
import { Dialog } from "../design/Dialog.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { ProblemCard } from "../problems/ProblemCard.tsx"
import { Revealed } from "../text/Revealed.tsx"
import { ComponentList } from "./ComponentList.tsx"
import { chosenOf, lateWords, withChoice } from "./componentWords.ts"
import styles from "../design/ListDialog.module.css"
import { ResearchDialog } from "../transcript/ResearchDialog.tsx"
import { useComponents } from "./useComponents.ts"

/** Chooses which components of the settings stand between people and the thread's agent, and in which order. */
const ComponentsDialog = (props: { readonly view: ThreadView; readonly onClose: () => void }) => {
  const { onClose, view } = props
  const { provider, threadId } = view
  const { known, problem: unknown } = useComponents(provider.id)
  const [refused, setRefused] = useState<Problem>()
  const file = useStore(settingsFile)
  const problem = refused ?? unknown
  const chosen = chosenOf(view, known ?? [])
  const late = known && lateWords(view, chosen)
  const choose = (components: ReadonlyArray<string> | undefined) => {
    setRefused(undefined)
    send(threadId, { type: "components.choose", ...(components && { components }) }).catch((error: unknown) =>
      setRefused(problemOf(error))
    )
  }
  const [isReading, read] = useState(false)
  if (isReading) return <ResearchDialog view={view} onClose={onClose} />
  const gone = known === undefined ? [] : chosen.filter((name) => known.every((one) => one.name !== name))
  return (
    <Dialog title="Components of this thread" onClose={onClose}>
      <div className={styles["body"]}>
        {problem && <ProblemCard problem={problem} />}
        {known?.length === 0 ? (
          <p className="quiet">
            The settings have none for {provider.name}. They stand in <code>{file?.path}</code>, as{" "}
            <code>components</code> of the agent.
          </p>
        ) : (
          <p className="quiet">
            Programs between you and {provider.name}. They see and may change every message, from the top down.
          </p>
        )}
        {known && <ComponentList known={known} chosen={chosen} choose={choose} />}
        {gone.map((name) => (
          <p key={name} className={styles["problem"]}>
            <Lamp status="failed" />{" "}
            <span>
              The settings have no component <Revealed text={name} /> any more.{" "}
              <Button bare onClick={() => choose(withChoice(chosen, name, false))}>
                Leave it out
              </Button>
            </span>
          </p>
        ))}
        {late !== undefined && (
          <p className={styles["late"]}>
            <Lamp status="queued" /> <span>{late}</span>
          </p>
        )}
      </div>
      <div className={styles["foot"]}>
        <span className="meta grow">
          {view.components === undefined ? "As the settings switch them on." : "Chosen for this thread."}
        </span>
        {known?.some(({ component }) => component === "package-sources") && (
          <Button bare onClick={() => read(true)}>
            Earlier research…
          </Button>
        )}
        {view.components !== undefined && (
          <Button bare onClick={() => choose(undefined)}>
            As the settings say
          </Button>
        )}
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  )
}
export default ComponentsDialog
