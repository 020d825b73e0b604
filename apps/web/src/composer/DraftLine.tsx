import type { OtherDraft } from "@signalbox/client/DraftState"
import { isUnsaved } from "@signalbox/client/DraftState"
import type { DraftContent } from "@signalbox/contracts/Draft"
import type { ThreadId } from "@signalbox/contracts/Ids"
import { useStore } from "../browser/Store.ts"
import { link } from "../connection/link.ts"
import { Button } from "../design/Button.tsx"
import { RevealedProse } from "../text/Revealed.tsx"
import { count } from "../words/figures.ts"
import styles from "./DraftLine.module.css"
import { choose, type KeptShown, shownOf } from "./draftKeeping.ts"

/** Characters of the other text that are shown in the line. The title has more of it. */
const mostShown = 80
const mostInTitle = 2000

const begins = {
  page: "Another page has written",
  server: "The server has gone back to",
  browser: "A page that is closed has left"
} as const

const contentOf = (other: OtherDraft): DraftContent => (other.from === "browser" ? other.content : other.draft)

/** What else there is beside the text in the field, or why the server lacks that text. Nothing, as long as all is well. */
export const DraftLine = ({ threadId }: { readonly threadId: ThreadId }) => {
  const store = shownOf(threadId)
  return store === undefined ? null : <Line threadId={threadId} store={store} />
}

const Line = ({
  store,
  threadId
}: {
  readonly threadId: ThreadId
  readonly store: NonNullable<ReturnType<typeof shownOf>>
}) => {
  const shown = useStore(store)
  const isConnected = useStore(link).state === "open"
  const { other } = shown.state
  const notes = notesOf(shown, isConnected)
  return (
    <>
      {other !== undefined && <Other other={other} threadId={threadId} isKeptHere={shown.isKeptHere} />}
      {notes.map((note) => (
        <output key={note} className={`quiet ${styles["line"]}`}>
          {note}
        </output>
      ))}
    </>
  )
}

const Other = (props: { readonly other: OtherDraft; readonly threadId: ThreadId; readonly isKeptHere: boolean }) => {
  const { isKeptHere, other, threadId } = props
  const { attachments, text } = contentOf(other)
  const words = text.trim()
  const files = attachments.length > 0 ? count(attachments.length, "file") : ""
  return (
    <div className={styles["line"]}>
      <output className={styles["words"]}>
        {begins[other.from]}{" "}
        {words === "" ? (
          files
        ) : (
          <q title={words.slice(0, mostInTitle)}>
            <RevealedProse text={words.length > mostShown ? `${words.slice(0, mostShown)}…` : words} />
          </q>
        )}
        {words.length > mostShown && `, ${count(words.length, "character")}`}
        {words !== "" && files !== "" && `, with ${files}`}.{" "}
        {other.from !== "browser" && <span className="quiet">{placeOf(isKeptHere)} until you choose.</span>}
      </output>
      <span className={styles["choice"]}>
        <Button onClick={() => choose(threadId, "other")}>Take it</Button>
        <Button onClick={() => choose(threadId, "mine")}>Keep mine</Button>
      </span>
    </div>
  )
}

const placeOf = (isKeptHere: boolean): string => `Your text is kept in this ${isKeptHere ? "browser" : "page only"}`

/** Sentences about what the server lacks. */
const notesOf = ({ isKeptHere, lost, problem, state }: KeptShown, isConnected: boolean): ReadonlyArray<string> => {
  const gone = lost.map((name) => `${name} was not saved before its page closed. Attach it again.`)
  if (!isUnsaved(state)) return gone
  const files = state.content.attachments.length > 0 ? " Files are kept in this page only." : ""
  // The line above the field says that the draft is kept in the browser while there is no connection.
  if (!isConnected) return isKeptHere && files === "" ? gone : [`${placeOf(isKeptHere)}.${files}`, ...gone]
  if (problem === undefined) return gone
  const [next] = problem.nextSteps
  const step = next === undefined ? "" : ` ${next.label}.`
  return [`Not saved in the server. ${problem.title} ${problem.cause}${step} ${placeOf(isKeptHere)}.${files}`, ...gone]
}
