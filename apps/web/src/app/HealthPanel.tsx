/** Shows the state of the server, its storage and its agents, figure by figure, with the time of the report. */
import type { AgentHealth, Health, StorageHealth } from "@signalbox/contracts/Health"
import type { LinkState } from "../connection/link.ts"
import { useStore } from "../browser/Store.ts"
import { threads } from "../connection/threads.ts"
import { useNow } from "../connection/useNow.ts"
import { Lamp } from "../design/Lamp.tsx"
import { clock, duration, fullTime } from "../words/time.ts"
import { threadHref } from "../browser/hrefs.ts"
import { byteSize, count, figure } from "../words/figures.ts"
import styles from "./HealthPanel.module.css"
import { LanguageServersHealth } from "./LanguageServersHealth.tsx"
import { agentLamp, agentStateWord, isScarce, isSilent, isSlow, storageWords, troublesOf } from "./healthWords.ts"
import { RevealedProse } from "../text/Revealed.tsx"

export const HealthPanel = ({ link, report }: { readonly link: LinkState; readonly report: Health | undefined }) => {
  if (report === undefined)
    return (
      <p className={styles["none"]}>{link.state === "open" ? "The server has not reported yet." : "Not connected."}</p>
    )
  const troubles = troublesOf(report)
  return (
    <>
      <header className={styles["head"]}>
        <h2>Health</h2>
        <span className="meta">as of {clock(report.at)}</span>
      </header>
      <p className={styles["sum"]}>
        {troubles.length === 0 ? (
          <>
            <Lamp status="completed" /> All is well.
          </>
        ) : (
          troubles.map(({ lamp, words }) => (
            <span key={words} className={styles["trouble"]}>
              <Lamp status={lamp} still /> <b>{words}</b>
            </span>
          ))
        )}
      </p>
      <Server report={report} />
      <Storage storage={report.storage} />
      <Agents agents={report.agents} at={report.at} />
      {report.languageServers && <LanguageServersHealth states={report.languageServers} />}
    </>
  )
}

const Server = ({ report }: { readonly report: Health }) => {
  const { reaped, server, threads, version, watchers } = report
  return (
    <section>
      <h3>Server</h3>
      <dl className={styles["facts"]}>
        <dt>Version</dt>
        <dd>
          {version}, pid <code>{server.pid}</code>
        </dd>
        <dt>Runs since</dt>
        <dd title={fullTime(server.startedAt)}>
          {clock(server.startedAt)}, for {duration(report.at - server.startedAt)}
        </dd>
        <dt>Memory</dt>
        <dd>
          {byteSize(server.rssBytes)}, {byteSize(server.heapBytes)} of it in use by the program
        </dd>
        <dt>Delay</dt>
        <dd data-bad={isSlow(report) || undefined}>{duration(server.delayMs)} or less, 99 times of 100</dd>
        <dt>Threads</dt>
        <dd data-bad={threads.unreadable > 0 || undefined}>
          {figure(threads.all)}, {figure(threads.inMemory)} in memory, {figure(threads.running)} running
          {threads.unreadable > 0 && `, ${figure(threads.unreadable)} can’t be read`}
        </dd>
        <dt>Followers</dt>
        <dd>{figure(watchers)}, of threads and of their list</dd>
        {reaped > 0 && (
          <>
            <dt>Ended at start</dt>
            <dd>{count(reaped, "process", "processes")} that an earlier server had left</dd>
          </>
        )}
      </dl>
    </section>
  )
}

const Storage = ({ storage }: { readonly storage: StorageHealth }) => {
  const { databaseBytes, directory, freeBytes, journalBytes, state, tapeBytes } = storage
  const words = storageWords(storage)
  return (
    <section>
      <h3>Storage</h3>
      {state === "failing" && (
        <p className={styles["failing"]}>
          <b>{words.title}</b> {words.cause} Held up meanwhile: what agents say next, and every command. Nothing of it
          is lost; it goes on when the disk does.
        </p>
      )}
      <dl className={styles["facts"]}>
        <dt>Folder</dt>
        <dd>
          <code>{directory}</code>
        </dd>
        <dt>Database</dt>
        <dd>
          {byteSize(databaseBytes)}, {byteSize(journalBytes)} in its journal
        </dd>
        <dt>Tapes</dt>
        <dd>{byteSize(tapeBytes)}</dd>
        <dt>Free</dt>
        <dd data-bad={isScarce(storage) || undefined}>
          {freeBytes === undefined ? "not reported by the system" : byteSize(freeBytes)}
        </dd>
      </dl>
    </section>
  )
}

const Agents = ({ agents, at }: { readonly agents: ReadonlyArray<AgentHealth>; readonly at: number }) => {
  const rows = useStore(threads) ?? []
  const now = Math.max(at, useNow(1000))
  return (
    <section>
      <h3>Agents</h3>
      {agents.length === 0 && <p className="meta">None is running.</p>}
      <ul>
        {agents.map((agent) => (
          <li key={agent.threadId} className={styles["agent"]}>
            <Lamp status={agentLamp(agent)} still />
            <div>
              <p>
                <b>{agent.name}</b>{" "}
                {agent.pipes === "closed" ? "can’t be reached any more" : agentStateWord[agent.state]},{" "}
                <a className="link" href={threadHref(agent.threadId)}>
                  <RevealedProse
                    text={rows.find(({ threadId }) => threadId === agent.threadId)?.title ?? "its thread"}
                  />
                </a>
              </p>
              <p className="meta">
                {agent.pid === undefined ? (
                  "runs elsewhere"
                ) : (
                  <>
                    pid <code>{agent.pid}</code>
                  </>
                )}{" "}
                · since {clock(agent.startedAt)} · last sign of life{" "}
                <span className={isSilent(agent, at) ? styles["silent"] : undefined}>
                  {duration(now - agent.lastSignAt)} ago
                </span>
                {agent.rssBytes !== undefined && ` · ${byteSize(agent.rssBytes)}`}
                {agent.stderrLines > 0 && ` · ${count(agent.stderrLines, "line")} on stderr`}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
