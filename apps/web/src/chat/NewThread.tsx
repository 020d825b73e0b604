import type { Workspace } from "@signalbox/contracts/HostMessage"
import type { ProviderStatus } from "@signalbox/contracts/Provider"
import { useState } from "react"
import { canStart, stateWord } from "../agents/agentWords.ts"
import { useThreadStart } from "../agents/useThreadStart.ts"
import { agentsHref, threadHref } from "../browser/hrefs.ts"
import { go } from "../browser/route.ts"
import { useStore } from "../browser/Store.ts"
import type { LinkState } from "../connection/link.ts"
import { providers } from "../connection/providers.ts"
import { threads } from "../connection/threads.ts"
import { Button } from "../design/Button.tsx"
import { Lamp, StateWord } from "../design/Lamp.tsx"
import { SimulatedTag } from "../design/SimulatedTag.tsx"
import { ProblemCard } from "../problems/ProblemCard.tsx"
import { proseText, RevealedProse } from "../text/Revealed.tsx"
import { folderName } from "../threads/rows.ts"
import { profileNames, profileWords } from "../words/profile.ts"
import styles from "./Chat.module.css"
import { tell } from "./host.ts"
import { askedAbout, toAdd } from "./hostState.ts"

/** Starts a thread in a folder of this window. */
export const NewThread = ({ link, workspace }: { readonly workspace: Workspace; readonly link: LinkState }) => {
  const { folders, isTrusted } = workspace
  const statuses = useStore(providers)
  const added = useStore(toAdd)
  const [chosen, choose] = useState<string>()
  const { problem, start, starting } = useThreadStart(() => {})
  const folder = chosen !== undefined && folders.includes(chosen) ? chosen : folders[0]
  if (folder === undefined)
    return (
      <div className={`${styles["nothing"]} prose`}>
        <p>No folder is open. An agent works in a folder, so a thread needs one.</p>
        <p>
          <Button solid onClick={() => tell({ type: "openFolder" })}>
            Open a folder
          </Button>
        </p>
      </div>
    )
  if (!isTrusted)
    return (
      <div className={`${styles["nothing"]} prose`}>
        <p>You have not trusted {folderName(folder)} yet. An agent reads its files, and may run what stands in them.</p>
        <p>
          <Button solid onClick={() => tell({ type: "manageTrust" })}>
            Decide about trust
          </Button>
        </p>
      </div>
    )
  const connected = link.state === "open"
  return (
    <div className={`${styles["new"]} scroll`}>
      <AskedAbout />
      {added.length > 0 && <p>What you added goes into the prompt of the thread that you start or open.</p>}
      <h2>New thread in {folderName(folder)}</h2>
      {folders.length > 1 && (
        <label className={styles["folder"]}>
          <span className="meta">Folder in which the agent works</span>
          <select className="field" value={folder} onChange={(event) => choose(event.target.value)}>
            {folders.map((path) => (
              <option key={path} value={path}>
                {proseText(path)}
              </option>
            ))}
          </select>
        </label>
      )}
      {problem && <ProblemCard problem={problem} />}
      {statuses === undefined ? (
        <p className="meta">Asking the server for its agents…</p>
      ) : (
        <ul>
          {statuses.map((status) => (
            <li key={status.provider.id}>
              <Agent
                status={status}
                inert={!connected || starting}
                start={() => start({ provider: status.provider.id, cwd: folder })}
              />
            </li>
          ))}
        </ul>
      )}
      <p className="meta">
        The page has{" "}
        <button type="button" className="link" onClick={() => tell({ type: "openPage", href: agentsHref })}>
          more about agents
        </button>
        , and more of them.
      </p>
    </div>
  )
}

const Agent = (props: { readonly status: ProviderStatus; readonly inert: boolean; readonly start: () => void }) => {
  const { inert, start, status } = props
  const { lamp, word } = stateWord(status)
  const { name } = status.provider
  return (
    <div className={styles["agent"]}>
      <Lamp status={lamp} />
      <b className="cut">{name}</b>
      <SimulatedTag provider={status.provider} />
      {status.permissions !== undefined && status.permissions !== "ask" && (
        <span className="tag" title={profileWords[status.permissions]}>
          {profileNames[status.permissions]}
        </span>
      )}
      {canStart(status) ? (
        <Button needs="operate" inert={inert} onClick={start} aria-label={`Start a thread with ${name}`}>
          Start
        </Button>
      ) : (
        <StateWord status={lamp}>{word}</StateWord>
      )}
    </div>
  )
}

/** The thread that was open when the window was closed, as far as it is still there. */
const AskedAbout = () => {
  const threadId = useStore(askedAbout)
  const row = useStore(threads)?.find((one) => one.threadId === threadId)
  if (row === undefined) return null
  return (
    <section className={styles["asked"]} aria-label="The thread that was open last">
      <p className="cut">
        <RevealedProse text={row.title} /> was open last.
      </p>
      <Button onClick={() => go(threadHref(row.threadId))}>Open it</Button>
    </section>
  )
}
