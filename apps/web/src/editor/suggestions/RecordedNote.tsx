/** Says that it is recorded what people edit, into which file, and how that ends. */
import { useState } from "react"
import { CopyCommand } from "../../design/CopyCommand.tsx"
import { Dialog } from "../../design/Dialog.tsx"
import styles from "./Suggestions.module.css"

const title = "What you edit is recorded"

export const RecordedNote = (props: { readonly file: string; readonly agent: string }) => {
  const { agent, file } = props
  const [isOpen, show] = useState(false)
  return (
    <>
      <button type="button" className="link" title={title} onClick={() => show(true)}>
        Recorded
      </button>
      {isOpen && (
        <Dialog title={title} onClose={() => show(false)}>
          <div className={styles["sent"]}>
            <p>
              Each change of a file that may be sent, each question to {agent}, its answer, and what you do with it. The
              settings want that: <code>{'"suggestions": {"record": true}'}</code>
            </p>
            <dl className={styles["facts"]}>
              <dt>File</dt>
              <dd>
                <code>{file}</code>
              </dd>
              <dt>Replay</dt>
              <dd>
                <CopyCommand command={`npx signalbox nes replay ${nameOf(file)} --provider NAME`} />
              </dd>
            </dl>
          </div>
        </Dialog>
      )}
    </>
  )
}

/** The name by which the command line finds a recording. */
const nameOf = (file: string): string => file.slice(file.lastIndexOf("/") + 1).replace(/\.ndjson$/, "")
