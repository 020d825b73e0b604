/** The open request of the inbox: where it comes from, and its card. Equal ones have one card, and a box for each thread. */
import type { AgentRequest, RequestResponse } from "@signalbox/contracts/AgentRequest"
import type { RequestId } from "@signalbox/contracts/Ids"
import { answer, problemOf } from "../connection/commands.ts"
import { Button } from "../design/Button.tsx"
import { threadHref } from "../browser/hrefs.ts"
import { sentencesOf } from "@signalbox/contracts/Problem"
import { RequestCard } from "../requests/RequestCard.tsx"
import { RequestGuard } from "../requests/RequestGuard.tsx"
import { FilesContext, useFilesOf } from "../text/files.ts"
import { proseText, RevealedProse } from "../text/Revealed.tsx"
import { folderName } from "../threads/rows.ts"
import { clock } from "../words/time.ts"
import styles from "./Inbox.module.css"
import { answerFor, commonOptions, type InboxRow, type Member } from "./inboxRows.ts"
import type { Inbox } from "./useInbox.ts"

export const OpenRequest = ({
  inbox: { answered, answering, include, refused, state },
  row
}: {
  readonly row: InboxRow
  readonly inbox: Pick<Inbox, "answered" | "answering" | "include" | "refused" | "state">
}) => {
  const [first, ...others] = row.members
  // What comes while the card is open is not answered with it, unless people choose it.
  const taken = row.members.filter((member) => state.chosen.has(idOf(member)))
  const [lead = first, ...equals] = taken
  const { thread, waiting } = lead
  const { request } = waiting
  const files = useFilesOf(thread.threadId, thread.cwd)
  if (request === undefined) return <TooLong member={lead} />
  const isEqual = others.length > 0

  const respond = async (_requestId: RequestId, response: RequestResponse): Promise<void> => {
    if (taken.length === 0) throw new Error("No thread is chosen.")
    const ids = taken.map(idOf)
    answering(ids)
    const failures = await Promise.all(taken.map((member) => respondTo(member, lead, response)))
    const failed = failures.flatMap((failure) => failure ?? [])
    if (failed.length === 0) return answered(ids)
    refused(ids, failed.map(({ member, why }) => sentenceOf(member, why, true)).join(" "))
    throw new Error(failed.map(({ member, why }) => sentenceOf(member, why, isEqual)).join(" "))
  }
  const shown: AgentRequest =
    isEqual && request.type === "approval" ? { ...request, options: commonOptions([lead, ...equals]) } : request
  return (
    <>
      {isEqual && <Threads members={row.members} chosen={state.chosen} onChoose={include} />}
      <RequestGuard key={cardKey(shown, state.turn)} request={request} agent={thread.provider.name} stop={undefined}>
        <FilesContext value={files}>
          <RequestCard
            open={{ request: shown, answered: false }}
            agent={thread.provider.name}
            cwd={thread.cwd}
            respond={respond}
            {...(!isEqual && { threadId: thread.threadId })}
          />
        </FilesContext>
      </RequestGuard>
    </>
  )
}

const idOf = ({ waiting }: Member): RequestId => waiting.requestId

/** A request that has changed, or is offered other answers, has a new card, which is inert at first. */
const cardKey = (request: AgentRequest, turn: number): string => {
  if (request.type !== "approval") return String(turn)
  const { digest, options, requestId, revision = 0 } = request
  return JSON.stringify([turn, digest ?? requestId, revision, options.map(({ kind, name }) => [kind, name])])
}

interface Failure {
  readonly member: Member
  readonly why: string
}

/** Answers one request. Undefined if the answer was taken. */
const respondTo = async (member: Member, from: Member, response: RequestResponse): Promise<Failure | undefined> => {
  const { thread, waiting } = member
  const own = answerFor(member, from, response)
  if (own === undefined) return { member, why: "It does not offer this answer." }
  return answer(thread.threadId, waiting.requestId, own).then(
    () => undefined,
    (error: unknown) => ({ member, why: sentencesOf(problemOf(error)) })
  )
}

const sentenceOf = ({ thread }: Member, why: string, isEqual: boolean): string =>
  isEqual ? `In ${proseText(thread.title)}: ${why}` : why

const Threads = ({
  chosen,
  members,
  onChoose
}: {
  readonly members: InboxRow["members"]
  readonly chosen: ReadonlySet<RequestId>
  readonly onChoose: (id: RequestId, isChosen: boolean) => void
}) => (
  <fieldset className={styles["same"]}>
    <legend>
      <b>The same request in {members.length} places</b>{" "}
      <span className="quiet">byte for byte. One answer goes to those that are chosen.</span>
    </legend>
    <ul>
      {members.map((member) => (
        <li key={idOf(member)}>
          <label>
            <input
              type="checkbox"
              checked={chosen.has(idOf(member))}
              onChange={(event) => onChoose(idOf(member), event.target.checked)}
            />
            <span className="cut">
              <RevealedProse text={member.thread.title} />
            </span>
            <span className="meta">asked {clock(member.waiting.at)}</span>
          </label>
        </li>
      ))}
    </ul>
  </fieldset>
)

const TooLong = ({ member: { thread } }: { readonly member: Member }) => (
  <div className={`${styles["none"]} card`}>
    <p>This request is too long for this page. Its thread shows all of it.</p>
    <Button
      onClick={() => {
        location.hash = threadHref(thread.threadId)
      }}
    >
      Open the thread
    </Button>
  </div>
)

/** The threads of a row, as links. */
export const Where = ({ row: { members } }: { readonly row: InboxRow }) => {
  const [{ thread }] = members
  const threads = new Map(members.map((member) => [member.thread.threadId, member.thread]))
  const shown = [...threads.values()].slice(0, 3)
  const more = threads.size - shown.length
  return (
    <p className={`${styles["from"]} cut`}>
      <span className="quiet">{folderName(thread.cwd)} · </span>
      {shown.map(({ threadId, title }, index) => (
        <span key={threadId}>
          {index > 0 && <span className="quiet">{index === shown.length - 1 && more === 0 ? " and " : ", "}</span>}
          <a className="link" href={threadHref(threadId)}>
            <RevealedProse text={title} />
          </a>
        </span>
      ))}
      {more > 0 && <span className="quiet"> and {more} more</span>}
    </p>
  )
}
