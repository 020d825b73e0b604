/** One decision: a line, and behind it all that the record has of it. */
import { clientWords } from "@signalbox/contracts/ApprovalWords"
import type { AuditDecision, AuditRow } from "@signalbox/contracts/Audit"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import type { ReactNode } from "react"
import { threadHref } from "../browser/hrefs.ts"
import { serverNow } from "../connection/link.ts"
import { Lamp } from "../design/Lamp.tsx"
import { FilePath } from "../text/FilePath.tsx"
import { FilesContext, useFilesOf } from "../text/files.ts"
import { RuleReference } from "../text/RuleReference.tsx"
import { Revealed, RevealedProse } from "../text/Revealed.tsx"
import { folderName } from "../threads/rows.ts"
import { byWords, lampOf, verbOf } from "../words/decision.ts"
import { figure } from "../words/figures.ts"
import { fullTime, shortDay } from "../words/time.ts"
import styles from "./Decisions.module.css"

/** Paths that are listed. */
const mostPaths = 50

/** Characters of an input that are drawn. The export has all that is recorded. */
const mostDrawn = 4000

export const Decision = ({
  agent,
  row,
  thread
}: {
  readonly row: AuditRow
  readonly thread: ThreadSummary | undefined
  /** The name of the agent, while the settings have it. */
  readonly agent: string | undefined
}) => {
  const { decision, end, hash, refusals } = row
  const files = useFilesOf(thread?.threadId, thread?.cwd ?? "/")
  const { answer, asked, askedLength, at, digest, folder, isRedacted, judgement, sequence, threadId, title, why } =
    decision
  return (
    <details className={styles["decision"]}>
      <summary>
        <Lamp status={lampOf(decision)} />
        <span className="cut">
          <b>{verbOf(decision)}</b>{" "}
          <code>
            <Revealed text={title.slice(0, 200)} />
          </code>
        </span>
        <span className={styles["by"]}>{byWords(decision)}</span>
        <time title={fullTime(at)}>{shortDay(at, serverNow())}</time>
        <span className={`${styles["sub"]} cut`}>
          {folderName(folder)} · {agent ?? decision.agent}
          {end !== undefined && ` · ${endWords(end)}`}
        </span>
      </summary>
      <FilesContext value={files}>
        <dl className={styles["facts"]}>
          <Fact name="Thread">
            {thread === undefined ? (
              <>It is deleted, or its agent ran without a server: {threadId}</>
            ) : (
              <a className="link" href={threadHref(threadId)}>
                <RevealedProse text={thread.title} />
              </a>
            )}
          </Fact>
          <Fact name="At">{fullTime(at)}</Fact>
          <Fact name="Folder">
            <code>
              <Revealed text={folder} />
            </code>
          </Fact>
          {answer !== undefined && (
            <Fact name="Answer">
              <Revealed text={answer} />
            </Fact>
          )}
          <Fact name="By">{whoWords(decision)}</Fact>
          {decision.by.type === "rule" && decision.by.rule.file !== "" && (
            <Fact name="Rule">
              <RuleReference rule={decision.by.rule} />
            </Fact>
          )}
          {why !== undefined && (
            <Fact name="Why">
              <Revealed text={why} />
            </Fact>
          )}
          {judgement !== undefined && judgement.why !== why && (
            <Fact name="Rules said">
              <Revealed text={judgement.why} />
            </Fact>
          )}
          {judgement !== undefined && judgement.paths.length > 0 && (
            <Fact name="Paths">
              {judgement.paths.slice(0, mostPaths).map(({ access, path }, index) => (
                <span key={`${access} ${path}`}>
                  {index > 0 && ", "}
                  <code>
                    <FilePath path={path} asGiven />
                  </code>
                </span>
              ))}
              {judgement.paths.length > mostPaths && ` and ${figure(judgement.paths.length - mostPaths)} more`}
            </Fact>
          )}
          {end !== undefined && <Fact name="Then">{endWords(end)}</Fact>}
          {refusals.map((refusal) => (
            <Fact key={refusal.sequence} name="Too late">
              <Revealed text={`${refusal.answer}. ${refusal.why}`} />
            </Fact>
          ))}
          <Fact name="Asked">
            <pre className={styles["asked"]}>
              <Revealed text={asked.slice(0, mostDrawn)} />
            </pre>
            {(asked.length > mostDrawn || askedLength !== undefined) && (
              <span className="meta">The beginning of {figure(askedLength ?? asked.length)} characters. </span>
            )}
            {isRedacted && <span className="meta">Secrets were taken out.</span>}
          </Fact>
          <Fact name="Entry">
            {figure(sequence)}, <code title={hash}>{`sha256 ${hash.slice(0, 8)}…${hash.slice(-8)}`}</code>
            {digest !== undefined && (
              <span className="meta">
                {" "}
                bound to <code title={digest}>{`sha256 ${digest.slice(0, 8)}…${digest.slice(-8)}`}</code>
              </span>
            )}
          </Fact>
        </dl>
      </FilesContext>
    </details>
  )
}

const Fact = ({ children, name }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

const endWords = ({ exitCode, status }: NonNullable<AuditRow["end"]>): string =>
  exitCode === undefined ? status : `${status}, exit ${exitCode}`

const whoWords = (decision: AuditDecision): string => {
  const { by } = decision
  if (by.type === "person" && by.client !== undefined) return `You, ${clientWords(by.client)}`
  if (by.type !== "settings" || by.profile === undefined) return byWords(decision)
  return by.until === "session"
    ? `the profile ${by.profile}, chosen for the session`
    : `the profile ${by.profile} of the settings`
}
