import type { PromptPart } from "@signalbox/contracts/Content"
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { Fence } from "../markdown/blocks.ts"
import { createContext, useContext } from "react"

/** What entries say about their thread. */
export interface ThreadFacts {
  /** Absent where nothing can be asked about the thread. */
  readonly threadId?: ThreadId
  /** The agent's name: "Cursor". */
  readonly agent: string
  readonly cwd: string
  /** The entries that the desk has a card for. */
  readonly onDesk: ReadonlySet<string>
  /** Sends a prompt as it is, as a new turn: whether the server has taken it. Absent where that is out of reach. */
  readonly onSendAgain?: ((prompt: ReadonlyArray<PromptPart>) => Promise<boolean>) | undefined
  /** The rest of a code block that is open at the end of an entry. It is in the entries that go on with it. */
  readonly codeBehind: (itemId: string, fence: Fence) => string
  /** Puts a prompt into the composer. */
  readonly onEdit: (prompt: ReadonlyArray<PromptPart>) => void
  /** Starts the agent; absent while it runs. */
  readonly onRestart?: (() => void) | undefined
  /** Starts the agent without one of its components; absent while it runs. */
  readonly onStartWithout?: ((component: string) => void) | undefined
  /** Stops the turn that runs. */
  readonly onStop?: (() => void) | undefined
}

export const ThreadFactsContext = createContext<ThreadFacts>({
  agent: "The agent",
  cwd: "/",
  onDesk: new Set(),
  codeBehind: () => "",
  onEdit: () => {}
})

export const useThreadFacts = (): ThreadFacts => useContext(ThreadFactsContext)
