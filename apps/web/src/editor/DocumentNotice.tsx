/** A file that has no text to show: why, and what to do next. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import { fileHref } from "../browser/hrefs.ts"
import { go } from "../browser/route.ts"
import { Button } from "../design/Button.tsx"
import { Icon } from "../design/Icon.tsx"
import { useCopy } from "../design/useCopy.ts"
import { Revealed, RevealedProse } from "../text/Revealed.tsx"
import type { DocumentState } from "./documentState.ts"
import styles from "./EditorRoom.module.css"
import { nameOf } from "./FileTabs.tsx"

export const DocumentNotice = (props: {
  readonly path: string
  readonly state: DocumentState
  readonly threadId: ThreadId
}) => {
  const { path, state, threadId } = props
  const { gone, problem, text } = state
  if (text === "reading")
    return (
      <div className={styles["nothing"]}>
        <p className="meta">Reading the file…</p>
      </div>
    )
  const movedTo = gone?.movedTo
  return (
    <div className={styles["nothing"]}>
      <h2 className={styles["noticeTitle"]}>
        <Icon name="read" />
        <RevealedProse text={problem?.title ?? `${nameOf(path)} doesn’t exist.`} />
      </h2>
      <p className="quiet">
        {problem === undefined ? (
          <>
            Nothing is at <Revealed text={path} />. It was deleted, renamed, or never there. When it appears, it is
            shown here.
          </>
        ) : (
          <RevealedProse text={problem.cause} />
        )}
      </p>
      {problem?.nextSteps.map(({ label }) => (
        <p key={label} className="meta">
          <RevealedProse text={`${label}.`} />
        </p>
      ))}
      <div className={styles["barActs"]}>
        {movedTo !== undefined && (
          <Button onClick={() => go(fileHref(threadId, movedTo))}>Open {nameOf(movedTo)}</Button>
        )}
        <CopyPath path={problem?.evidence.path ?? path} />
      </div>
    </div>
  )
}

const CopyPath = ({ path }: { readonly path: string }) => {
  const { copied, copy } = useCopy()
  return <Button onClick={() => copy(path)}>{copied === undefined ? "Copy path" : `Path ${copied}`}</Button>
}
