import type { Problem } from "@signalbox/contracts/Problem"
import type { RegistryListing } from "@signalbox/contracts/Registry"
import { useEffect, useState } from "react"
import { problemOf } from "../connection/commands.ts"
import { listRegistry, refreshRegistry } from "../connection/registry.ts"
import { Button } from "../design/Button.tsx"
import { Dialog } from "../design/Dialog.tsx"
import { ProblemCard } from "../problems/ProblemCard.tsx"
import { count } from "../words/figures.ts"
import { RegistryEntry } from "./RegistryEntry.tsx"
import styles from "./RegistryDialog.module.css"
import { isMeant, sourceWords } from "./registryWords.ts"

/** The agents of the registry. Nothing is loaded from the network, and nothing installed, unless somebody asks for it here. */
export const RegistryDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [listing, setListing] = useState<RegistryListing>()
  const [problem, setProblem] = useState<Problem>()
  const [refreshing, setRefreshing] = useState(false)
  const [query, setQuery] = useState("")
  const fail = (error: unknown) => setProblem(problemOf(error))
  useEffect(() => {
    const abort = new AbortController()
    listRegistry(abort.signal).then(
      (known) => {
        if (!abort.signal.aborted) setListing(known)
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setProblem(problemOf(error))
      }
    )
    return () => abort.abort()
  }, [])
  const refresh = () => {
    setRefreshing(true)
    setProblem(undefined)
    refreshRegistry()
      .then(setListing, fail)
      .finally(() => setRefreshing(false))
  }
  const found = (listing?.agents ?? []).filter((agent) => isMeant(agent, query.trim()))
  return (
    <Dialog title="Agents of the registry" onClose={onClose}>
      <div className={styles["top"]}>
        <input
          className="field"
          type="search"
          data-first-focus=""
          aria-label="Find an agent"
          placeholder="Find by name"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      </div>
      <div className={styles["body"]}>
        {problem && <ProblemCard problem={problem} />}
        <ul aria-label="Agents of the registry">
          {found.map((agent) => (
            <RegistryEntry
              key={agent.id}
              agent={agent}
              onInstalled={() => void listRegistry().then(setListing, fail)}
            />
          ))}
        </ul>
        {listing && found.length === 0 && <p className={styles["note"]}>No agent has that name.</p>}
        {listing && listing.unreadable.length > 0 && (
          <details className={styles["note"]}>
            <summary>{count(listing.unreadable.length, "entry", "entries")} could not be read</summary>
            <ul>
              {listing.unreadable.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <div className={styles["foot"]}>
        <output className="meta grow">
          {listing ? `${count(listing.agents.length, "agent")}. ${sourceWords(listing)}` : "Reading"}
        </output>
        <Button bare inert={refreshing} onClick={refresh} title="Loads the list from cdn.agentclientprotocol.com">
          {refreshing ? "Loading the newest" : "Load the newest"}
        </Button>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  )
}
