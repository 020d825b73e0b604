import type { ProviderRef } from "@signalbox/contracts/Provider"
import type { ServerInfo } from "@signalbox/contracts/ServerInfo"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import { type KeyboardEvent, lazy, type SubmitEvent, Suspense, useId, useRef, useState } from "react"
import { Button } from "../design/Button.tsx"
import { Dialog } from "../design/Dialog.tsx"
import { ProblemCard } from "../problems/ProblemCard.tsx"
import { folderName } from "../threads/rows.ts"
import { FolderList } from "./FolderList.tsx"
import { ModelField } from "./ModelField.tsx"
import { PlaceButtons } from "./PlaceButtons.tsx"
import styles from "./StartDialog.module.css"
import { useAgentModels } from "./useAgentModels.ts"
import { meant, useFolder } from "./useFolder.ts"
import { useThreadStart } from "./useThreadStart.ts"

/** Few agents have components. */
const StartComponents = lazy(() => import("./StartComponents.tsx").catch(() => ({ default: () => null })))

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
  const [components, setComponents] = useState<ReadonlyArray<string>>()
  const models = useAgentModels(provider.id)
  const [model, setModel] = useState("")
  const { forget, problem, start, starting } = useThreadStart(onClose)
  const form = useRef<HTMLFormElement>(null)
  const path = meant(typed, server.home)
  const folder = useFolder(path)
  const listing = folder?.listing
  const looking = folder?.path !== path
  // Who is faster than our look at the folder is not held up: the server looks again.
  const ready = !starting && (looking ? path.startsWith("/") : folder.exists)

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!ready) return
    const additionalDirectories = foldersIn(more, server.home)
    start({
      provider: provider.id,
      cwd: path,
      ...(additionalDirectories.length > 0 && { additionalDirectories }),
      ...(components !== undefined && { components }),
      ...(models !== undefined && model !== "" && { settings: { [models.settingId]: model } })
    })
  }
  const open = (path: string) => {
    setTyped(path)
    forget()
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
      <form ref={form} className={styles["form"]} onSubmit={submit}>
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
          <PlaceButtons
            places={places}
            server={server}
            chosen={folder?.exists === true ? listing?.path : undefined}
            open={open}
          />
        </div>
        <FolderList folder={folder} looking={looking} open={open} onArrow={onArrow} />
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
        <Suspense>
          <StartComponents provider={provider} chosen={components} choose={setComponents} />
        </Suspense>
        <div className={styles["foot"]}>
          {problem && (
            <div className={styles["problem"]}>
              <ProblemCard problem={problem} />
            </div>
          )}
          {models !== undefined && <ModelField models={models} value={model} choose={setModel} />}
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
