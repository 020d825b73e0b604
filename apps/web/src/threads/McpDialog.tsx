import type { McpServerInfo } from "@signalbox/contracts/McpServer"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { useEffect, useState } from "react"
import { problemOf, send } from "../connection/commands.ts"
import { listMcpServers } from "../connection/mcpServers.ts"
import { settingsFile } from "../connection/settingsFile.ts"
import { useStore } from "../browser/Store.ts"
import { Button } from "../design/Button.tsx"
import { Dialog } from "../design/Dialog.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { ProblemCard } from "../problems/ProblemCard.tsx"
import { Revealed } from "../text/Revealed.tsx"
import styles from "../design/ListDialog.module.css"
import { SwitchRow } from "./SwitchRow.tsx"
import { chosenOf, connectionWords, lateWords, valuesOf, withChoice } from "./mcpWords.ts"

/** Chooses which servers of the settings the thread's agent gets. */
const McpDialog = (props: { readonly view: ThreadView; readonly onClose: () => void }) => {
  const { onClose, view } = props
  const { cwd, provider, threadId } = view
  const [servers, setServers] = useState<ReadonlyArray<McpServerInfo>>()
  const [problem, setProblem] = useState<Problem>()
  const file = useStore(settingsFile)
  // A new object asks again, e.g. when the file has changed.
  const [asked, setAsked] = useState({ cwd, file })
  if (asked.file !== file) setAsked({ cwd, file })
  useEffect(() => {
    const abort = new AbortController()
    listMcpServers(asked.cwd, abort.signal).then(
      (known) => {
        if (!abort.signal.aborted) setServers(known)
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setProblem(problemOf(error))
      }
    )
    return () => abort.abort()
  }, [asked])
  const chosen = chosenOf(view, servers ?? [])
  const passed = servers?.filter(({ name, problem }) => problem === undefined && chosen.includes(name))
  const late =
    passed &&
    lateWords(
      view,
      passed.map(({ name }) => name)
    )
  const choose = (mcpServers: ReadonlyArray<string> | undefined) => {
    setProblem(undefined)
    send(threadId, { type: "mcp.choose", ...(mcpServers && { mcpServers }) }).catch((error: unknown) =>
      setProblem(problemOf(error))
    )
  }
  return (
    <Dialog title="MCP servers of this thread" onClose={onClose}>
      <div className={styles["body"]}>
        {problem && <ProblemCard problem={problem} />}
        {servers?.length === 0 && (
          <p className="quiet">
            The settings have none for this folder. They stand in <code>{file?.path}</code>, or are added by{" "}
            <code>signalbox mcp add</code>.
          </p>
        )}
        <ul aria-label="MCP servers">
          {servers?.map((server) => (
            <Server
              key={server.name}
              server={server}
              on={chosen.includes(server.name)}
              turn={(on) => choose(withChoice(chosen, servers, server.name, on))}
            />
          ))}
        </ul>
        {late !== undefined && (
          <p className={styles["late"]}>
            <Lamp status="queued" /> <span>{late}</span>
          </p>
        )}
      </div>
      <div className={styles["foot"]}>
        <span className="meta grow">
          {view.mcpServers === undefined
            ? `${provider.name} gets what the settings switch on.`
            : "Chosen for this thread."}
        </span>
        {view.mcpServers !== undefined && (
          <Button bare onClick={() => choose(undefined)}>
            As the settings say
          </Button>
        )}
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  )
}

const Server = (props: {
  readonly server: McpServerInfo
  readonly on: boolean
  readonly turn: (on: boolean) => void
}) => {
  const { on, server, turn } = props
  const { connection, name, problem, scope } = server
  const values = valuesOf(connection)
  return (
    <SwitchRow name={name} on={on} turn={turn} problem={problem}>
      <code>
        <Revealed text={connectionWords(connection)} />
      </code>
      <p className="meta">
        {scope === "project" ? "for this folder" : "for all threads"}
        {values.length > 0 && `, with ${values.join(", ")}`}
      </p>
    </SwitchRow>
  )
}
export default McpDialog
