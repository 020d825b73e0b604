/** What happened to an open file, and what people can do about it. At most one bar wants a choice. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import { lazy, Suspense, useState } from "react"
import { fileHref } from "../browser/hrefs.ts"
import { go } from "../browser/route.ts"
import { Button } from "../design/Button.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { useStore } from "../browser/Store.ts"
import { changeOf, goneWords, writtenWords } from "./authors/Author.ts"
import { workIn } from "./authors/work.ts"
import { Bar } from "./Bar.tsx"
import { conflictWords } from "./conflictWords.ts"
import { type DocumentState, isEditable } from "./documentState.ts"
import { nameOf } from "./FileTabs.tsx"
import type { OpenDocument } from "./OpenDocument.ts"

const CompareDialog = lazy(() => import("./CompareDialog.tsx"))

export const DocumentBars = (props: {
  readonly document: OpenDocument
  readonly state: DocumentState
  readonly threadId: ThreadId
  readonly mayWrite: boolean
}) => {
  const { document, mayWrite, state, threadId } = props
  const [comparing, compare] = useState(false)
  const work = useStore(workIn(threadId))
  const name = nameOf(document.path)
  const { conflict, failed, gone, holder, merged, notKept, problem, text, unsaved } = state
  if (text !== "here") return null
  return (
    <>
      {conflict !== undefined && (
        <Bar
          lamp={<Lamp status="waiting" />}
          title={`${name} changed on disk.`}
          text={`${writtenWords(work, document.path, changeOf(conflict.disk))} ${conflictWords(conflict)}`}
        >
          <Button onClick={() => compare(true)}>Compare</Button>
          <Button needs="operate" onClick={document.keepMine}>
            Keep mine
          </Button>
          <Button needs="operate" onClick={document.takeTheirs}>
            Take theirs
          </Button>
        </Bar>
      )}
      {conflict !== undefined && comparing && (
        <Suspense>
          <CompareDialog document={document} conflict={conflict} onClose={() => compare(false)} />
        </Suspense>
      )}
      {gone !== undefined && (
        <Bar
          lamp={<Lamp status="lost" />}
          title={
            gone.movedTo === undefined ? `${name} was deleted on disk.` : `${name} was renamed to ${gone.movedTo}.`
          }
          text={[goneWords(work, document.path, gone.at), "Your text is kept here."].filter(Boolean).join(" ")}
          wants={false}
        >
          {gone.movedTo !== undefined && (
            <Button onClick={() => go(fileHref(threadId, gone.movedTo))}>Open {nameOf(gone.movedTo)}</Button>
          )}
          {isEditable(state) && (
            <Button needs="operate" onClick={document.save}>
              Save it again
            </Button>
          )}
        </Bar>
      )}
      {problem !== undefined && (
        <Bar lamp={<Lamp status="failed" />} title={problem.title} text={problem.cause} wants={false} />
      )}
      {holder === "elsewhere" && mayWrite && (
        <Bar
          lamp={<Lamp status="queued" />}
          title={`Another page edits ${name}.`}
          text={unsaved ? "You read it here. Your unsaved text is kept." : "You read it here."}
          wants={false}
        >
          <Button needs="operate" onClick={document.takeOver}>
            Take over
          </Button>
        </Bar>
      )}
      {failed !== undefined && (
        <Bar
          lamp={<Lamp status="failed" />}
          title={failed.title}
          text={[failed.cause, ...failed.nextSteps.map(({ label }) => `${label}.`)].join(" ")}
          wants={false}
        />
      )}
      {merged && conflict === undefined && (
        <Bar
          lamp={<Lamp status="completed" />}
          title={`${name} changed on disk.`}
          text="The changes are merged with your unsaved text, in other lines than yours. Look it over, then save."
          wants={false}
        />
      )}
      {notKept !== undefined && unsaved && (
        <Bar
          lamp={<Lamp status="limited" />}
          title="A reload would lose the unsaved text."
          text={`This browser doesn’t keep it. ${notKept}`}
          wants={false}
        />
      )}
    </>
  )
}
