/** All that language servers find wrong in a file, in the order of their places. */
import { Button } from "../../design/Button.tsx"
import { Dialog } from "../../design/Dialog.tsx"
import { Revealed, RevealedProse } from "../../text/Revealed.tsx"
import shared from "../../design/ListDialog.module.css"
import type { Finding } from "./findings.ts"
import styles from "./Language.module.css"
import { severityWord } from "./words.ts"

export const FindingsDialog = (props: {
  readonly path: string
  readonly findings: ReadonlyArray<Finding>
  readonly total: number
  /** Shows the language servers of the file. */
  readonly servers: () => void
  readonly onGo: (finding: Finding) => void
  readonly onClose: () => void
}) => {
  const { findings, onClose, onGo, path, servers, total } = props
  return (
    <Dialog title="Found by language servers" onClose={onClose}>
      <div className={shared["body"]}>
        <p className="quiet">
          <code>
            <Revealed text={path} />
          </code>
          , as its text is here. {total > findings.length && `${findings.length} of ${total} are listed.`}
        </p>
        {findings.length === 0 && <p>Nothing is wrong, as far as they can see.</p>}
        <ul className={styles["places"]}>
          {findings.map((finding) => {
            const { diagnostic, from, server, to } = finding
            return (
              <li key={JSON.stringify([from, to, server, diagnostic])}>
                <button type="button" className={styles["place"]} onClick={() => onGo(finding)}>
                  <span className={styles["number"]}>{diagnostic.range.start.line + 1}</span>
                  <span>
                    <b data-severity={diagnostic.severity}>{severityWord[diagnostic.severity]}</b>{" "}
                    <RevealedProse text={diagnostic.message} />{" "}
                    <span className="meta">
                      <Revealed text={[diagnostic.source ?? server, diagnostic.code].filter(Boolean).join(" ")} />
                    </span>
                  </span>
                </button>
              </li>
            )
          })}
        </ul>
      </div>
      <div className={shared["foot"]}>
        <Button onClick={servers}>Language servers</Button>
        <span className="grow" />
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  )
}
