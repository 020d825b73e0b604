import { createContext, useContext } from "react"

/** What entries say about their thread. */
export interface ThreadFacts {
  /** The agent's name: "Cursor". */
  readonly agent: string
  readonly cwd: string
  /** Gives people the text of a prompt to send again. */
  readonly onSendAgain: (text: string) => void
}

export const ThreadFactsContext = createContext<ThreadFacts>({ agent: "The agent", cwd: "/", onSendAgain: () => {} })

export const useThreadFacts = (): ThreadFacts => useContext(ThreadFactsContext)
