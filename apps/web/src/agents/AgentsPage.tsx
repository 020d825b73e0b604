import type { ProviderRef, ProviderStatus } from "@signalbox/contracts/Provider"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import { Suspense, useState } from "react"
import type { LinkState } from "../connection/link.ts"
import { health } from "../connection/health.ts"
import { checkAgain, providers } from "../connection/providers.ts"
import { settingsFile } from "../connection/settingsFile.ts"
import { useStore } from "../browser/Store.ts"
import { Button } from "../design/Button.tsx"
import { loaded } from "../design/loaded.tsx"
import { PartGuard } from "../design/PartGuard.tsx"
import { clock, duration } from "../words/time.ts"
import { ProblemCard } from "../problems/ProblemCard.tsx"
import { RegistryDialog } from "./RegistryDialog.tsx"
import { SessionsDialog } from "./SessionsDialog.tsx"
import { Page } from "../threads/Page.tsx"
import { AccountDialog } from "../signin/AccountDialog.tsx"
import { AgentCard } from "./AgentCard.tsx"
import styles from "./AgentsPage.module.css"
import { lead } from "./agentWords.ts"
import { StartDialog } from "./StartDialog.tsx"

/** Few people look an agent over. */
const ConformanceDialog = loaded("The report", async () => (await import("./ConformanceDialog.tsx")).ConformanceDialog)

/** The time of the agents' checks, and their duration. */
const checkedLine = (statuses: ReadonlyArray<ProviderStatus>): string => {
  if (statuses.some(({ state }) => state === "checking")) return "Looking now"
  const times = statuses.flatMap(({ checkedAt }) => checkedAt ?? [])
  if (times.length === 0) return "Not looked over yet"
  const took = Math.max(
    ...statuses.map(({ checks }) => checks.reduce((sum, check) => sum + (check.durationMs ?? 0), 0))
  )
  return `Checked ${clock(Math.max(...times))}${took > 0 ? `, took ${duration(took)}` : ""}`
}

/** Placeholders for the agents, until the server has listed them. */
const Places = () => (
  <output className={styles["cards"]} aria-label="The agents are asked for">
    <span className={styles["place"]} />
    <span className={styles["place"]} />
    <span className={styles["place"]} />
  </output>
)

/** The first page, where new threads begin. */
export const AgentsPage = ({
  link,
  threads
}: {
  readonly threads: ReadonlyArray<ThreadSummary>
  readonly link: LinkState
}) => {
  const statuses = useStore(providers)
  const file = useStore(settingsFile)
  const suggestions = useStore(health)?.suggestions
  const [chosen, choose] = useState<{
    readonly what: "thread" | "sessions" | "account" | "conformance"
    readonly provider: ProviderRef
  }>()
  const [registry, setRegistry] = useState(false)
  const [checking, setChecking] = useState(false)
  const connected = link.state === "open"
  // Each agent shows its own problems.
  const faults = (file?.problems ?? []).filter(
    ({ cause, title }) => !statuses?.some(({ problem }) => problem?.title === title && problem.cause === cause)
  )

  const lastUsed = threads.toSorted((a, b) => b.createdAt - a.createdAt)[0]?.provider.id
  return (
    <Page
      title="Agents on this machine"
      about={statuses ? checkedLine(statuses) : "Asking the server"}
      actions={
        <Button
          icon="undo"
          needs="operate"
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
      <div className="scroll">
        <div className={styles["content"]}>
          {statuses === undefined ? (
            <Places />
          ) : (
            <>
              <p className={`${styles["lead"]} prose`}>{lead(statuses)}</p>
              {faults.length > 0 && (
                <section className={styles["problems"]} aria-label="Problems of the settings file">
                  {faults.map((problem) => (
                    <ProblemCard key={`${problem.title} ${problem.cause}`} problem={problem} />
                  ))}
                </section>
              )}
              <div className={styles["cards"]}>
                {statuses.map((status) => (
                  <PartGuard key={status.provider.id} what={status.provider.name} source={status}>
                    <AgentCard
                      status={status}
                      preferred={status.provider.id === lastUsed}
                      suggestions={suggestions}
                      onStart={connected ? () => choose({ what: "thread", provider: status.provider }) : undefined}
                      onSessions={connected ? () => choose({ what: "sessions", provider: status.provider }) : undefined}
                      onAccount={connected ? () => choose({ what: "account", provider: status.provider }) : undefined}
                      onConformance={
                        connected ? () => choose({ what: "conformance", provider: status.provider }) : undefined
                      }
                    />
                  </PartGuard>
                ))}
              </div>
              <div className={styles["others"]}>
                <Button icon="plus" needs="admin" inert={!connected} onClick={() => setRegistry(true)}>
                  More agents…
                </Button>
                {file && (
                  <p className="meta grow">
                    from the registry. Others go into <code>{file.path}</code>, or are added by{" "}
                    <code>signalbox agents add</code>.
                  </p>
                )}
              </div>
            </>
          )}
        </div>
      </div>
      {registry && <RegistryDialog onClose={() => setRegistry(false)} />}
      {chosen?.what === "sessions" && <SessionsDialog provider={chosen.provider} onClose={() => choose(undefined)} />}
      {chosen?.what === "account" && <AccountDialog provider={chosen.provider} onClose={() => choose(undefined)} />}
      {chosen?.what === "conformance" && (
        <Suspense>
          <ConformanceDialog provider={chosen.provider} onClose={() => choose(undefined)} />
        </Suspense>
      )}
      {chosen?.what === "thread" && link.state === "open" && (
        <StartDialog
          provider={chosen.provider}
          server={link.server}
          threads={threads}
          onClose={() => choose(undefined)}
        />
      )}
    </Page>
  )
}
