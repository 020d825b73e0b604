/** All places of a renaming or a replacement, to be chosen one by one. Nothing is saved by it. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { SuggestedPlace, SuggestedPlaces } from "@signalbox/contracts/Suggestions"
import { useEffect, useState } from "react"
import { problemOf } from "../../connection/commands.ts"
import { suggestionPlaces } from "../../connection/suggestions.ts"
import { Button } from "../../design/Button.tsx"
import { Dialog } from "../../design/Dialog.tsx"
import { proseText, RevealedProse } from "../../text/Revealed.tsx"
import { count } from "../../words/figures.ts"
import type { Many } from "./Steps.ts"
import { allKeys, type ChosenFile, chosenOf, keyOf, partsOf, proposedKeys } from "./places.ts"
import styles from "./Suggestions.module.css"

const PlacesDialog = (props: {
  readonly threadId: ThreadId
  readonly suggestion: Many
  readonly agent: string
  /** The files that the thread's agent edits now. */
  readonly paused: ReadonlySet<string>
  readonly onApply: (chosen: ReadonlyArray<ChosenFile>) => void
  /** Looks at them later: the suggestion stays. */
  readonly onDismiss: () => void
}) => {
  const { agent, onApply, onDismiss, paused, suggestion, threadId } = props
  const { id, kind } = suggestion
  const [places, show] = useState<SuggestedPlaces>()
  const [failed, fail] = useState<Problem>()
  const [keys, choose] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const over = new AbortController()
    suggestionPlaces(threadId, id, over.signal).then(
      (found) => {
        show(found)
        choose(proposedKeys(kind, found.files))
      },
      (error: unknown) => {
        if (!over.signal.aborted) fail(problemOf(error))
      }
    )
    return () => over.abort()
  }, [threadId, id, kind])
  const verb = suggestion.kind === "rename" ? "Rename" : "Replace"
  const files = places?.files ?? []
  const total = files.reduce((sum, file) => sum + file.places.length, 0)
  const leftOut = total - proposedKeys(kind, files).size
  const wanted = chosenOf(files, keys)
  const toggle = (some: ReadonlyArray<string>, on: boolean) => {
    const next = new Set(keys)
    for (const key of some) {
      if (on) next.add(key)
      else next.delete(key)
    }
    choose(next)
  }
  const waiting = wanted.filter(({ path }) => paused.has(path)).map(({ path }) => nameOf(path))
  return (
    <Dialog title={proseText(titleOf(suggestion, files))} onClose={onDismiss}>
      <div className={styles["places"]}>
        <div className={styles["placesHead"]}>
          {failed !== undefined && (
            <p role="alert">
              {failed.title} {failed.cause}
            </p>
          )}
          {places === undefined && failed === undefined && <p className="meta">Looking for the places…</p>}
          {places !== undefined && (
            <>
              <p>
                {keys.size} of {count(total, "place")} in {count(files.length, "file")}. Suggested by {agent}.
              </p>
              <p className="quiet">
                {places.basis} {places.cut}
                {leftOut > 0 &&
                  ` ${count(leftOut, "place")} in comments, quotes or prose ${leftOut === 1 ? "was" : "were"} left out. Choose ${leftOut === 1 ? "it" : "them"} if you want.`}
              </p>
              <div className={styles["row"]}>
                <Button bare onClick={() => choose(new Set())}>
                  None
                </Button>
                <Button bare onClick={() => choose(allKeys(files))}>
                  All
                </Button>
              </div>
            </>
          )}
        </div>
        <fieldset className={styles["placeList"]} aria-label="Places">
          {files.map(({ path, places: of }) => {
            const own = of.map((_, index) => keyOf(path, index))
            const chosen = own.filter((key) => keys.has(key)).length
            return (
              <section key={path} aria-label={path}>
                <label className={styles["file"]}>
                  <input
                    type="checkbox"
                    checked={chosen > 0}
                    ref={(box) => {
                      if (box !== null) box.indeterminate = chosen > 0 && chosen < own.length
                    }}
                    aria-label={`All places in ${path}`}
                    onChange={() => toggle(own, chosen < own.length)}
                  />
                  <code className="cut grow" title={path}>
                    <RevealedProse text={path} />
                  </code>
                  {paused.has(path) && <span>The agent edits it</span>}
                  <span>
                    {chosen} of {own.length}
                  </span>
                </label>
                {of.map((place, index) => (
                  <Place
                    key={keyOf(path, index)}
                    place={place}
                    chosen={keys.has(keyOf(path, index))}
                    onChoose={(on) => toggle([keyOf(path, index)], on)}
                  />
                ))}
              </section>
            )
          })}
        </fieldset>
        <div className={styles["placesFoot"]}>
          <p>
            <b>One undo step per file.</b> Nothing is saved by it.
            {waiting.length > 0 && ` ${waiting.join(", ")}: waits until the agent has finished with it.`}
          </p>
          <div className={styles["row"]}>
            <Button onClick={onDismiss}>Dismiss</Button>
            <Button solid inert={keys.size === 0} onClick={() => onApply(wanted)} data-first-focus="">
              {places === undefined ? verb : `${verb} ${count(keys.size, "place")}`}
            </Button>
          </div>
        </div>
      </div>
    </Dialog>
  )
}

const Place = (props: {
  readonly place: SuggestedPlace
  readonly chosen: boolean
  readonly onChoose: (on: boolean) => void
}) => {
  const { chosen, onChoose, place } = props
  const [before, old, next, after] = partsOf(place)
  return (
    <label className={styles["place"]} data-off={chosen ? undefined : ""}>
      <input type="checkbox" checked={chosen} onChange={(event) => onChoose(event.currentTarget.checked)} />
      <span>{place.range.start.line + 1}</span>
      <code>
        <RevealedProse text={before.trimStart()} />
        <del>
          <RevealedProse text={old} />
        </del>
        {chosen && (
          <ins>
            <RevealedProse text={next} />
          </ins>
        )}
        <RevealedProse text={after} />
      </code>
    </label>
  )
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** "Rename dueAt to notBefore", once the places say what it is. */
const titleOf = (suggestion: Many, files: SuggestedPlaces["files"]): string => {
  const [old, ...others] = new Set(files.flatMap(({ places }) => places.map((place) => partsOf(place)[1])))
  const one = old !== undefined && others.length === 0 ? old : undefined
  return suggestion.kind === "rename"
    ? `Rename ${one ?? "it"} to ${suggestion.newName}`
    : `Replace ${one ?? suggestion.search} by ${suggestion.replace}`
}

export default PlacesDialog
