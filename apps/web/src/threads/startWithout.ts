import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { send } from "../connection/commands.ts"
import { listComponents } from "../connection/components.ts"
import { chosenOf, withChoice } from "./componentWords.ts"

/** Leaves a component out of a thread from now on, and starts its agent. Fails with what the server has refused. */
export const startWithout = async (view: ThreadView, component: string): Promise<void> => {
  const chosen = chosenOf(view, await listComponents(view.provider.id))
  await send(view.threadId, { type: "components.choose", components: withChoice(chosen, component, false) })
  await send(view.threadId, { type: "session.start" })
}
