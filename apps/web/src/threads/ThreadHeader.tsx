import type { ThreadView } from "@signalbox/contracts/ThreadView"
import { type SubmitEvent, useState } from "react"
import { SimulatedTag } from "../design/SimulatedTag.tsx"
import { problemOf, send } from "../connection/commands.ts"
import { Button, IconButton } from "../design/Button.tsx"
import { fileHref, threadHref } from "../browser/hrefs.ts"
import { go } from "../browser/route.ts"
import { ctrl } from "../browser/shortcuts.ts"
import { TopBar } from "./TopBar.tsx"
import { prefer, usePreferences } from "../browser/preferences.ts"
import { proseText, RevealedProse } from "../text/Revealed.tsx"
import { folderName } from "./rows.ts"
import { SidePanel } from "./SidePanel.tsx"
import styles from "./ThreadHeader.module.css"
import { ThreadMenu } from "./ThreadMenu.tsx"

export const ThreadHeader = ({
  editing,
  view,
  wire
}: {
  readonly view: ThreadView
  readonly editing: boolean
  readonly wire: boolean
}) => {
  const { sidePanel } = usePreferences()
  return (
    <TopBar
      title={<Title key={view.threadId} view={view} />}
      actions={
        <>
          {wire ? (
            <Button icon="read" onClick={() => go(threadHref(view.threadId))}>
              Transcript
            </Button>
          ) : (
            <Button
              icon="edit"
              aria-pressed={editing}
              title={`Files of this thread  ${ctrl} P`}
              onClick={() => go(editing ? threadHref(view.threadId) : fileHref(view.threadId))}
            >
              Editor
            </Button>
          )}
          {!editing && !wire && (
            <IconButton
              icon="panel"
              label="Side panel"
              aria-pressed={sidePanel}
              data-side-panel="beside"
              onClick={() => prefer({ sidePanel: !sidePanel })}
            />
          )}
          <IconButton icon="panel" label="About this thread" data-side-panel="over" popoverTarget="about-thread" />
          <div id="about-thread" popover="auto" data-floating="" data-side-panel="over">
            <SidePanel view={view} />
          </div>
          <ThreadMenu threadId={view.threadId} title={view.title} view={view} />
        </>
      }
    >
      <div className={styles["sub"]}>
        <span className="cut">
          <span title={proseText(view.cwd)}>{folderName(view.cwd)}</span> · {view.provider.name}
          {view.session.agentVersion !== undefined && (
            <>
              {" "}
              <code>
                <RevealedProse text={view.session.agentVersion} />
              </code>
            </>
          )}
        </span>
        <SimulatedTag provider={view.provider} />
      </div>
    </TopBar>
  )
}

const Title = ({ view }: { readonly view: ThreadView }) => {
  const [editing, setEditing] = useState(false)
  const [problem, setProblem] = useState<string>()
  if (!editing)
    return (
      <div className={styles["title"]}>
        <h1 className="cut" title={proseText(view.title)}>
          <RevealedProse text={view.title} />
        </h1>
        <IconButton
          icon="edit"
          label="Rename this thread"
          needs="operate"
          className={styles["rename"] ?? ""}
          onClick={() => setEditing(true)}
        />
      </div>
    )
  const rename = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const title = new FormData(event.currentTarget).get("title")
    if (typeof title !== "string" || title.trim() === "" || title.trim() === view.title) {
      setEditing(false)
      return
    }
    send(view.threadId, { type: "thread.rename", title: title.trim() }).then(
      () => setEditing(false),
      (error: unknown) => setProblem(problemOf(error).title)
    )
  }
  return (
    <form className={styles["form"]} onSubmit={rename}>
      <h1 className="unseen">
        <RevealedProse text={view.title} />
      </h1>
      <input
        className="field"
        type="text"
        name="title"
        aria-label="Title of this thread"
        defaultValue={view.title}
        maxLength={200}
        onKeyDown={(event) => {
          if (event.key === "Escape") setEditing(false)
        }}
        ref={(input) => {
          input?.select()
        }}
      />
      <Button type="submit">Rename</Button>
      <Button bare onClick={() => setEditing(false)}>
        Cancel
      </Button>
      {problem !== undefined && (
        <span className={styles["problem"]} role="alert">
          {problem}
        </span>
      )}
    </form>
  )
}
