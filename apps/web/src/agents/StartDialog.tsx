import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderRef } from "@signalbox/contracts/Provider"
import type { ServerInfo } from "@signalbox/contracts/Rpc"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import { type KeyboardEvent, type SubmitEvent, useId, useRef, useState } from "react"
import { composerId } from "../composer/Composer.tsx"
import { newThreadId, problemOf, send } from "../connection/commands.ts"
import { Button } from "../design/Button.tsx"
import { Dialog } from "../design/Dialog.tsx"
import { Icon } from "../design/Icon.tsx"
import { ProblemCard } from "../problems/ProblemCard.tsx"
import { focusSoon } from "../browser/focusSoon.ts"
import { go, threadHref } from "../browser/route.ts"
import { proseText, Revealed } from "../text/Revealed.tsx"
import { folderName } from "../threads/rows.ts"
import styles from "./StartDialog.module.css"
import { useAgentModels } from "./useAgentModels.ts"
import { meant, useFolder } from "./useFolder.ts"

/** Folders of existing threads, the last used first; then where the server was started, and home. */
const placesOf = (threads: ReadonlyArray<ThreadSummary>, server: ServerInfo): ReadonlyArray<string> => {
  const recent = threads.toSorted((a, b) => b.updatedAt - a.updatedAt).map(({ cwd }) => cwd)
  return [...new Set([...recent.slice(0, 40), server.cwd, server.home])].slice(0, 8)
}

/** The folders that stand in a text, one a line. */
const foldersIn = (text: string, home: string): ReadonlyArray<string> => [
  ...new Set(
    text
      .split("\n")
      .map((line) => meant(line.trim(), home))
      .filter((line) => line !== "")
  )
]

/** Chooses the folder, then starts the thread. */
export const StartDialog = (props: {
  readonly provider: ProviderRef
  readonly server: ServerInfo
  readonly threads: ReadonlyArray<ThreadSummary>
  readonly onClose: () => void
}) => {
  const { onClose, provider, server, threads } = props
  const fieldId = useId()
  const moreId = useId()
  const places = placesOf(threads, server)
  const [typed, setTyped] = useState(places[0] ?? server.cwd)
  const [more, setMore] = useState("")
  const models = useAgentModels(provider.id)
  const [model, setModel] = useState("")
  const [starting, setStarting] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const form = useRef<HTMLFormElement>(null)
  const path = meant(typed, server.home)
  const folder = useFolder(path)
  const listing = folder?.listing
  const looking = folder?.path !== path
  const around = folder?.exists === true && listing ? listing.parent : null
  // Who is faster than our look at the folder is not held up: the server looks again.
  const ready = !starting && (looking ? path.startsWith("/") : folder.exists)
  const folders = (listing?.folders ?? []).filter(({ name }) =>
    name.toLowerCase().startsWith((folder?.prefix ?? "").toLowerCase())
  )

  const start = (event: SubmitEvent) => {
    event.preventDefault()
    if (!ready) return
    const threadId = newThreadId()
    setStarting(true)
    setProblem(undefined)
    const additionalDirectories = foldersIn(more, server.home)
    send(threadId, {
      type: "thread.create",
      provider: provider.id,
      cwd: path,
      ...(additionalDirectories.length > 0 && { additionalDirectories }),
      ...(models !== undefined && model !== "" && { settings: { [models.settingId]: model } })
    }).then(
      () => {
        onClose()
        go(threadHref(threadId))
        // The composer is there once the thread has arrived.
        focusSoon(`#${composerId}`)
      },
      (error: unknown) => {
        setStarting(false)
        setProblem(problemOf(error))
      }
    )
  }
  const open = (path: string) => {
    setTyped(path)
    setProblem(undefined)
    document.getElementById(fieldId)?.focus()
  }
  /** Up and down go from the field into the list and back. */
  const onArrow = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return
    event.preventDefault()
    const stops = [...(form.current?.querySelectorAll<HTMLElement>("[data-stop]") ?? [])]
    const at = stops.findIndex((stop) => stop === document.activeElement)
    stops[Math.max(0, Math.min(stops.length - 1, at + (event.key === "ArrowDown" ? 1 : -1)))]?.focus()
  }

  return (
    <Dialog title={`Start a thread with ${provider.name}`} onClose={onClose}>
      <form ref={form} className={styles["form"]} onSubmit={start}>
        <div className={styles["top"]}>
          <label className={styles["label"]} htmlFor={fieldId}>
            Folder in which {provider.name} works
          </label>
          <input
            data-first-focus=""
            id={fieldId}
            className="field"
            type="text"
            value={typed}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            data-stop=""
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={onArrow}
          />
          <div className={styles["places"]}>
            {places.map((place) => (
              <button
                key={place}
                type="button"
                className={`${styles["place"]} cut`}
                title={place}
                aria-pressed={place === listing?.path && folder?.exists === true}
                onClick={() => open(place)}
              >
                {place === server.home ? "Home" : folderName(place)}
                {place === server.cwd && place !== server.home && <span className="meta"> where Signalbox runs</span>}
              </button>
            ))}
          </div>
        </div>
        <div className={styles["folders"]}>
          {folder?.exists === false && (
            <p className={styles["note"]}>
              {folder.reason === undefined ? "There is no such folder." : `This can’t be used: ${folder.reason}`}
            </p>
          )}
          {folder?.exists && folders.length === 0 && <p className={styles["note"]}>No folders in here.</p>}
          {/* Folders of an earlier path lead where nobody meant to go. */}
          <ul aria-label="Folders" inert={looking}>
            {around !== null && (
              <Row name=".." label="The folder around it" path={around} open={open} onArrow={onArrow} />
            )}
            {folders.map(({ git, name, path }) => (
              <Row key={path} name={name} path={path} git={git} open={open} onArrow={onArrow} />
            ))}
          </ul>
        </div>
        <details className={styles["more"]}>
          <summary>More folders</summary>
          <label className="meta" htmlFor={moreId}>
            One a line. {provider.name} may work in these, too, where it can work in several.
          </label>
          <textarea
            id={moreId}
            className="field"
            rows={2}
            value={more}
            spellCheck={false}
            autoCapitalize="off"
            onChange={(event) => setMore(event.target.value)}
          />
        </details>
        <div className={styles["foot"]}>
          {problem && (
            <div className={styles["problem"]}>
              <ProblemCard problem={problem} />
            </div>
          )}
          {models !== undefined && (
            <select
              aria-label="Model"
              title="Without a choice, the model of last time is used, else the agent’s own"
              className={`field ${styles["model"]}`}
              value={model}
              onChange={(event) => setModel(event.target.value)}
            >
              <option value="">No model chosen</option>
              {models.models.map(({ name, value }) => (
                <option key={value} value={value}>
                  {proseText(name)}
                </option>
              ))}
            </select>
          )}
          <span className="meta cut grow" title={listing?.path}>
            {listing && folder.exists ? (listing.git ? "A git repository" : "Not a git repository") : ""}
          </span>
          <Button bare onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" solid inert={!ready}>
            {starting ? "Starting" : ready ? `Start in ${folderName(path)}` : "Start"}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const Row = (props: {
  readonly name: string
  readonly path: string
  readonly label?: string
  readonly git?: boolean
  readonly open: (path: string) => void
  readonly onArrow: (event: KeyboardEvent) => void
}) => (
  <li>
    <button
      type="button"
      className={styles["folder"]}
      aria-label={props.label}
      data-stop=""
      onClick={() => props.open(props.path)}
      onKeyDown={props.onArrow}
    >
      <Icon name="folder" />
      <span className={props.name.startsWith(".") ? `cut ${styles["hidden"]}` : "cut"}>
        <Revealed text={props.name} />
      </span>
      {props.git && <span className="tag">git</span>}
    </button>
  </li>
)
