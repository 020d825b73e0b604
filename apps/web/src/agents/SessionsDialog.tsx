import type { AgentSession } from "@signalbox/contracts/AgentSession"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderRef } from "@signalbox/contracts/Provider"
import { useState } from "react"
import { changeAgentSession } from "../connection/agentSessions.ts"
import { newThreadId, problemOf, send } from "../connection/commands.ts"
import { Button } from "../design/Button.tsx"
import { Dialog } from "../design/Dialog.tsx"
import { ProblemCard } from "../problems/ProblemCard.tsx"
import { composerId } from "../composer/PromptField.tsx"
import { focusSoon } from "../browser/focusSoon.ts"
import { threadHref } from "../browser/hrefs.ts"
import { go } from "../browser/route.ts"
import { count, figure } from "../words/figures.ts"
import { SessionRow } from "./SessionRow.tsx"
import styles from "./SessionsDialog.module.css"
import { useAgentSessions } from "./useAgentSessions.ts"

/** From this many sessions on, there is a field to find one. */
const manySessions = 8

const isMeant = ({ cwd, title = "" }: AgentSession, query: string): boolean => {
  const known = `${title} ${cwd}`.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => known.includes(word))
}

/** What an agent remembers, whoever it worked for: to be opened here, named, archived or deleted, as far as the agent lets us. */
export const SessionsDialog = (props: { readonly provider: ProviderRef; readonly onClose: () => void }) => {
  const { onClose, provider } = props
  const [query, setQuery] = useState("")
  const [opening, setOpening] = useState<AgentSession>()
  const [refused, setRefused] = useState<Problem>()
  const listing = useAgentSessions(provider.id)
  const { abilities, again, archived, change, problem, reading, sessions, truncated } = listing
  const found = sessions.filter((session) => isMeant(session, query.trim()))
  const told = refused ?? problem

  const open = async (session: AgentSession) => {
    const { cwd, sessionId, title } = session
    const threadId = newThreadId()
    setOpening(session)
    setRefused(undefined)
    try {
      // Agents refuse to open what is archived.
      if (session.archived) await changeAgentSession(provider.id, sessionId, { type: "unarchive" })
      await send(threadId, {
        type: "thread.create",
        provider: provider.id,
        cwd,
        from: { type: "import", sessionId },
        ...(title !== undefined && title.trim() !== "" && { title })
      })
      onClose()
      go(threadHref(threadId))
      focusSoon(`#${composerId}`)
    } catch (error) {
      setOpening(undefined)
      setRefused(problemOf(error))
    }
  }
  return (
    <Dialog title={`Sessions of ${provider.name}`} onClose={onClose}>
      <div className={styles["top"]}>
        {sessions.length >= manySessions && (
          <input
            className="field"
            type="search"
            aria-label="Find a session"
            placeholder="Find by title or folder"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
        )}
        {abilities?.archive && (
          <label className={styles["archived"]}>
            <input
              type="checkbox"
              checked={archived}
              onChange={(event) => listing.showArchived(event.target.checked)}
            />{" "}
            Archived
          </label>
        )}
      </div>
      <div className={styles["body"]}>
        {told && <ProblemCard problem={told} actions={{ "check-again": again, restart: again }} />}
        {abilities?.list === false ? (
          <p className={styles["note"]}>{provider.name} does not list the sessions that it keeps.</p>
        ) : (
          <ul aria-label={`Sessions that ${provider.name} keeps`} aria-busy={reading}>
            {found.map((session) => (
              <SessionRow
                key={session.sessionId}
                session={session}
                abilities={abilities}
                opening={opening === undefined ? undefined : opening === session ? "this" : "another"}
                open={() => void open(session)}
                change={(what) => change(session, what)}
              />
            ))}
          </ul>
        )}
        {!reading && problem === undefined && abilities?.list !== false && found.length === 0 && (
          <p className={styles["note"]}>
            {query.trim() !== ""
              ? "No session has that title or folder."
              : archived
                ? "Nothing is archived."
                : `${provider.name} keeps no sessions.`}
          </p>
        )}
      </div>
      <div className={styles["foot"]}>
        <output className="meta grow">
          {reading
            ? sessions.length === 0
              ? `Asking ${provider.name}`
              : `${figure(sessions.length)} so far`
            : abilities?.list !== false && problem === undefined && count(sessions.length, "session")}
          {truncated !== undefined &&
            `; ${provider.name} has more than these ${figure(truncated)}, which are not shown`}
        </output>
        <Button bare inert={reading} onClick={again}>
          Ask again
        </Button>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  )
}
