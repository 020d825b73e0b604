import type { ProviderStatus } from "@signalbox/contracts/Provider"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import { useState } from "react"
import type { LinkState } from "../connection/link.ts"
import { checkAgain, providers } from "../connection/providers.ts"
import { useStore } from "../connection/Store.ts"
import { Button } from "../design/Button.tsx"
import { clock, duration } from "../design/time.ts"
import { TopBar } from "../shell/TopBar.tsx"
import { AgentCard } from "./AgentCard.tsx"
import styles from "./AgentsPage.module.css"
import { lead } from "./agentWords.ts"
import { StartDialog } from "./StartDialog.tsx"

/** When the agents were looked over, and how long that took. */
const checkedLine = (statuses: ReadonlyArray<ProviderStatus>): string => {
  if (statuses.some(({ state }) => state === "checking")) return "Looking now"
  const times = statuses.flatMap(({ checkedAt }) => checkedAt ?? [])
  if (times.length === 0) return "Not looked over yet"
  const took = Math.max(
    ...statuses.map(({ checks }) => checks.reduce((sum, check) => sum + (check.durationMs ?? 0), 0))
  )
  return `Checked ${clock(Math.max(...times))}${took > 0 ? `, took ${duration(took)}` : ""}`
}

/** Where the agents will stand, until the server has told which there are. */
const Places = () => (
  <output className={styles["cards"]} aria-label="The agents are asked for">
    <span className={styles["place"]} />
    <span className={styles["place"]} />
    <span className={styles["place"]} />
  </output>
)

/** The first page, and where new threads begin. */
export const AgentsPage = ({
  link,
  threads
}: {
  readonly threads: ReadonlyArray<ThreadSummary>
  readonly link: LinkState
}) => {
  const statuses = useStore(providers)
  const [chosen, choose] = useState<ProviderStatus>()
  const [checking, setChecking] = useState(false)
  const connected = link.state === "open"

  const lastUsed = threads.toSorted((a, b) => b.createdAt - a.createdAt)[0]?.provider.id
  return (
    <div className={styles["page"]}>
      <TopBar
        title={<h1 className="cut">Agents on this machine</h1>}
        actions={
          <Button
            icon="undo"
            inert={!connected || checking}
            onClick={() => {
              setChecking(true)
              void checkAgain().finally(() => setChecking(false))
            }}
          >
            {checking ? "Checking" : "Check again"}
          </Button>
        }
      >
        <div className={`${styles["sub"]} cut`}>{statuses ? checkedLine(statuses) : "Asking the server"}</div>
      </TopBar>
      <div className="scroll">
        <div className={styles["content"]}>
          {statuses === undefined ? (
            <Places />
          ) : (
            <>
              <p className={`${styles["lead"]} prose`}>{lead(statuses)}</p>
              <div className={styles["cards"]}>
                {statuses.map((status) => (
                  <AgentCard
                    key={status.provider.id}
                    status={status}
                    preferred={status.provider.id === lastUsed}
                    onStart={connected ? () => choose(status) : undefined}
                  />
                ))}
              </div>
            </>
          )}
        </div>
      </div>
      {chosen && link.state === "open" && (
        <StartDialog
          provider={chosen.provider}
          server={link.server}
          threads={threads}
          onClose={() => choose(undefined)}
        />
      )}
    </div>
  )
}
