/** What was sent to the agent for a suggestion: to whom, when, how much, and the exact message. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { Problem } from "@signalbox/contracts/Problem"
import type { SuggestionSent } from "@signalbox/contracts/Suggestions"
import { useEffect, useState } from "react"
import { problemOf } from "../../connection/commands.ts"
import { suggestionSent } from "../../connection/suggestions.ts"
import { Dialog } from "../../design/Dialog.tsx"
import { RevealedProse } from "../../text/Revealed.tsx"
import { byteSize, count } from "../../words/figures.ts"
import { clock } from "../../words/time.ts"
import { sentParts } from "./sentParts.ts"
import styles from "./Suggestions.module.css"

const SentDialog = (props: {
  readonly threadId: ThreadId
  readonly id: string | undefined
  /** Why open files are not sent, by their paths. */
  readonly withheld: ReadonlyMap<string, string>
  readonly onClose: () => void
}) => {
  const { id, onClose, threadId, withheld } = props
  const [sent, show] = useState<SuggestionSent>()
  const [failed, fail] = useState<Problem>()
  useEffect(() => {
    const over = new AbortController()
    suggestionSent(threadId, id, over.signal).then(show, (error: unknown) => {
      if (!over.signal.aborted) fail(problemOf(error))
    })
    return () => over.abort()
  }, [threadId, id])
  return (
    <Dialog title="What was sent for this suggestion" onClose={onClose}>
      <div className={styles["sent"]}>
        {failed !== undefined && (
          <p>
            {failed.title} {failed.cause}
          </p>
        )}
        {sent !== undefined && <Sent sent={sent} withheld={withheld} />}
      </div>
    </Dialog>
  )
}

const encoder = new TextEncoder()

const Sent = (props: { readonly sent: SuggestionSent; readonly withheld: ReadonlyMap<string, string> }) => {
  const { agent, at, documents, json, tape } = props.sent
  const sentWith = sentParts(json)
  const notWanted = sentWith?.notWanted ?? []
  const size = encoder.encode(json).length + documents.reduce((sum, { bytes }) => sum + bytes, 0)
  return (
    <>
      <dl className={styles["facts"]}>
        <dt>To</dt>
        <dd>{agent}. Signalbox can’t see what it passes on.</dd>
        <dt>When</dt>
        <dd>{clock(at)}</dd>
        <dt>Size</dt>
        <dd>
          {byteSize(size)}: a message, and {count(documents.length, "document")}
        </dd>
        {tape !== undefined && (
          <>
            <dt>Tape</dt>
            <dd>
              <code>{tape}</code>
            </dd>
          </>
        )}
      </dl>
      <h3>Documents that the agent had then</h3>
      {documents.length === 0 ? (
        <p className="quiet">None.</p>
      ) : (
        <table className={`${styles["documents"]} ${styles["sizes"]}`}>
          <tbody>
            {documents.map((document) => (
              <tr key={document.path}>
                <td>
                  <code>{document.path}</code>
                </td>
                <td>{clock(document.at)}</td>
                <td>{byteSize(document.bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <h3>Sent with the question</h3>
      {sentWith === undefined ? (
        <p className="quiet">The message below can’t be taken apart here.</p>
      ) : sentWith.parts.length === 0 ? (
        <p className="quiet">Nothing but the place in the document.</p>
      ) : (
        <table className={`${styles["documents"]} ${styles["sizes"]}`}>
          <tbody>
            {sentWith.parts.map(({ bytes, name, words }) => (
              <tr key={name}>
                <td>
                  <RevealedProse text={`${name}: ${words}`} />
                </td>
                <td>{byteSize(bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <h3>Held back by Signalbox</h3>
      {(props.withheld.size > 0 || notWanted.length > 0) && (
        <table className={styles["documents"]}>
          <tbody>
            {[...props.withheld].map(([path, why]) => (
              <tr key={path}>
                <td>
                  <code>
                    <RevealedProse text={path} />
                  </code>
                  , open in a tab now
                </td>
                <td>
                  <RevealedProse text={why} />
                </td>
              </tr>
            ))}
            {notWanted.length > 0 && (
              <tr>
                <td>{notWanted.join(", ")}</td>
                <td>{agent} doesn’t ask for that.</td>
              </tr>
            )}
          </tbody>
        </table>
      )}
      <p className="quiet">No file that is ignored by Git, outside of the folder or on the list is sent.</p>
      <h3>The message</h3>
      <pre className={styles["json"]}>{json}</pre>
    </>
  )
}

export default SentDialog
