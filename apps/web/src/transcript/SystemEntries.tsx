/** What happened around the work: sessions, files, warnings, updates that nobody knows, problems. */
import type { ItemView, TurnView } from "@signalbox/contracts/ThreadView"
import { type ProblemActions, ProblemCard, withoutStop } from "../problems/ProblemCard.tsx"
import { problemLamp } from "../problems/problemLamp.ts"
import { EntryFrame, EntryLine } from "./Entry.tsx"
import styles from "./Entry.module.css"
import { count } from "../words/figures.ts"
import { useOpen } from "./openings.ts"
import { pathWithin, shownPath } from "@signalbox/contracts/Paths"
import { OpenFile } from "./OpenFile.tsx"
import { Raw } from "./Raw.tsx"
import { Revealed } from "../text/Revealed.tsx"
import { useThreadFacts } from "./ThreadFacts.ts"
import { WithCode } from "../text/WithCode.tsx"

type Item<Type extends ItemView["type"]> = Extract<ItemView, { readonly type: Type }>

/** What starts the agent again, while it does not run. */
const useStartActions = (): ProblemActions => {
  const { onRestart, onStartWithout } = useThreadFacts()
  return {
    ...(onRestart && { restart: onRestart }),
    ...(onStartWithout && {
      "start-without": ({ component }) => {
        if (component !== undefined) onStartWithout(component)
      }
    })
  }
}

export const SessionEntry = ({ item }: { readonly item: Item<"session"> }) => {
  const { agent } = useThreadFacts()
  const actions = useStartActions()
  const { problem } = item
  switch (item.change) {
    case "new":
      return <Mark item={item} verb="Session started" />
    case "resumed":
      return <Mark item={item} verb="Resumed by session/resume" text={`${agent} knows what was said before.`} />
    case "loaded":
      return <Mark item={item} verb="Resumed by session/load" text={`${agent} knows what was said before.`} />
    case "forked":
      return <Mark item={item} verb="A copy by session/fork" text={`${agent} knows what was said before.`} />
    case "replaced":
      return (
        <EntryFrame at={item.at} icon="agent">
          <EntryLine verb="New session" marks={item}>
            <span className={styles["text"]}>{agent} does not know what was said before.</span>
          </EntryLine>
          {problem && (
            <p className={styles["opened"]}>
              <WithCode text={`${problem.title} ${problem.cause}`} />
            </p>
          )}
        </EntryFrame>
      )
    case "exited":
      return problem ? (
        <EntryFrame at={item.at} lamp={problemLamp(problem) ?? "failed"}>
          <ProblemCard problem={problem} actions={actions} />
        </EntryFrame>
      ) : (
        <Mark item={item} verb={`${agent} ended`} text="Its process is gone. Nobody asked it to stop." />
      )
  }
}

const Mark = (props: { readonly item: Item<"session">; readonly verb: string; readonly text?: string }) => (
  <EntryFrame at={props.item.at} icon="agent">
    <EntryLine verb={props.verb} marks={props.item}>
      {props.text !== undefined && <span className={styles["text"]}>{props.text}</span>}
    </EntryLine>
  </EntryFrame>
)

export const FileEntry = ({ current, item }: { readonly item: Item<"file">; readonly current: boolean }) => {
  const { agent, cwd, threadId } = useThreadFacts()
  const path = pathWithin(item.path, cwd)
  return (
    <EntryFrame at={item.at} icon="read" current={current}>
      <EntryLine
        verb={item.written ? (item.written.created ? "Created" : "Wrote") : "Generated"}
        marks={item}
        after={path !== undefined && threadId && <OpenFile threadId={threadId} path={path} />}
      >
        <span className={styles["subject"]} data-voice="machine">
          <Revealed text={shownPath(item.path, cwd)} />
        </span>
      </EntryLine>
      {item.written && (
        <p className={styles["opened"]}>
          {count(item.written.bytes, "byte")}, written by Signalbox because {agent} asked for it.
        </p>
      )}
      {item.description !== undefined && <p className={styles["opened"]}>{item.description}</p>}
    </EntryFrame>
  )
}

export const WarningEntry = ({ item }: { readonly item: Item<"warning"> }) => (
  <EntryFrame at={item.at} icon="comment">
    <EntryLine verb="Note" marks={item}>
      <span className={styles["text"]}>
        <WithCode text={item.message} />
      </span>
    </EntryLine>
    {item.detail !== undefined && (
      <p className={styles["opened"]}>
        <WithCode text={item.detail} />
      </p>
    )}
  </EntryFrame>
)

export const UnknownEntry = ({ item }: { readonly item: Item<"unknown"> }) => {
  const opening = useOpen(item.itemId)
  return (
    <EntryFrame at={item.at} icon="unknown">
      <div className={opening.open ? styles["paper"] : undefined}>
        <EntryLine verb="Unknown update" marks={item} opening={opening}>
          {item.kind !== undefined && (
            <span className={styles["subject"]} data-voice="machine">
              <Revealed text={item.kind} />
            </span>
          )}
        </EntryLine>
        {opening.open && (
          <div className={styles["open"]}>
            <p className={styles["note"]}>{item.reason} It is kept as it came:</p>
            <Raw json={item.raw} label="Raw update" />
          </div>
        )}
      </div>
    </EntryFrame>
  )
}

/** `turn`: the one that the problem ended. Its prompt can be sent again. */
export const ProblemEntry = ({
  item,
  turn
}: {
  readonly item: Item<"problem">
  readonly turn: TurnView | undefined
}) => {
  const { onDesk, onEdit, onSendAgain } = useThreadFacts()
  const actions = useStartActions()
  // The desk has the card for it: two of them would be two logins.
  if (onDesk.has(item.itemId))
    return (
      <EntryFrame at={item.at} lamp={problemLamp(item.problem)}>
        <EntryLine verb={withoutStop(item.problem.title)} marks={item}>
          <span className={styles["text"]}>How to sign in is on the desk below.</span>
        </EntryLine>
      </EntryFrame>
    )
  const endedTurn = turn?.problem !== undefined && turn.problem.code === item.problem.code ? turn : undefined
  return (
    <EntryFrame at={item.at} lamp={problemLamp(item.problem) ?? "refused"}>
      <ProblemCard
        problem={item.problem}
        actions={actions}
        again={
          endedTurn && {
            send: onSendAgain && (() => onSendAgain(endedTurn.prompt)),
            edit: () => onEdit(endedTurn.prompt)
          }
        }
      />
    </EntryFrame>
  )
}
