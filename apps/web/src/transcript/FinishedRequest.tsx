/** A request that is over, in one line: what was asked, what people chose. */
import type { AgentRequest, RequestOutcome } from "@signalbox/contracts/AgentRequest"
import { clientWords } from "@signalbox/contracts/ApprovalWords"
import { addressFacts, type FormField, valueOf } from "@signalbox/contracts/Elicitation"
import type { ItemView } from "@signalbox/contracts/ThreadView"
import { Markdown } from "../markdown/Markdown.tsx"
import { clock } from "../words/time.ts"
import { valueWords } from "../words/formWords.ts"
import { EntryFrame, EntryLine } from "./Entry.tsx"
import styles from "./Entry.module.css"
import { OpenFile } from "./OpenFile.tsx"
import { useOpen } from "./openings.ts"
import { PlanSteps } from "./PlanEntryLine.tsx"
import { saysMore } from "../words/planWords.ts"
import { outcomeWords } from "./requestWords.ts"
import { proseText, Revealed, RevealedProse } from "../text/Revealed.tsx"
import { RuleReference } from "../text/RuleReference.tsx"
import { rulePlace } from "../text/ruleWords.ts"
import { useThreadFacts } from "./ThreadFacts.ts"
import { ToolDetail } from "./ToolDetail.tsx"
import { fileOf, toolSubject } from "../words/toolWords.ts"

export const FinishedRequestEntry = ({ item }: { readonly item: Extract<ItemView, { readonly type: "request" }> }) => {
  const { agent, cwd, threadId } = useThreadFacts()
  const file = item.request.type === "approval" ? fileOf(item.request.tool, cwd) : undefined
  const opening = useOpen(item.itemId)
  const { outcome, request } = item
  const { choice, verb } = outcomeWords(request, outcome)
  return (
    <EntryFrame at={item.at} icon="rule">
      <div className={opening.open ? styles["paper"] : undefined}>
        <EntryLine
          verb={verb}
          marks={item}
          opening={opening}
          after={file && threadId && <OpenFile threadId={threadId} {...file} />}
          end={
            choice !== undefined && (
              <span title={ruleTitle(outcome)}>
                <RevealedProse text={choice} />
                {item.completedAt !== undefined && `, done ${clock(item.completedAt)}`}
              </span>
            )
          }
        >
          <span
            className={styles["subject"]}
            data-voice={request.type === "approval" || request.type === "url" ? "machine" : "words"}
          >
            <Revealed text={subjectOf(request, cwd)} />
          </span>
        </EntryLine>
        {opening.open && (
          <div className={styles["open"]}>
            <Asked request={request} outcome={outcome} agent={agent} />
          </div>
        )}
      </div>
    </EntryFrame>
  )
}

/** The rule that answered, in words. The same stands in the opened entry. */
const ruleTitle = (outcome: RequestOutcome): string | undefined => {
  if (outcome.type !== "answered" || outcome.rule === undefined) return undefined
  const place = rulePlace(outcome.rule)
  return proseText(place === undefined ? outcome.rule.text : `${outcome.rule.text}\n${place}`)
}

const subjectOf = (request: AgentRequest, cwd: string): string => {
  switch (request.type) {
    case "approval":
      return toolSubject(request.tool, cwd).text
    case "question":
      return request.title ?? request.questions[0]?.prompt ?? ""
    case "plan":
      return request.name ?? request.overview ?? ""
    case "form":
      return request.title ?? request.message
    case "url":
      return addressFacts(request.url)?.host ?? request.url
  }
}

const Asked = (props: { readonly request: AgentRequest; readonly outcome: RequestOutcome; readonly agent: string }) => {
  const { agent, outcome, request } = props
  const reason = outcome.type === "expired" ? outcome.reason : reasonOf(outcome)
  return (
    <>
      {request.type === "approval" && (
        <>
          {request.reason !== undefined && (
            <p className={styles["note"]}>
              {agent} said: “<RevealedProse text={request.reason} />”
            </p>
          )}
          <p className={styles["note"]}>
            {agent} offered <RevealedProse text={request.options.map(({ name }) => `“${name}”`).join(", ")} />.
          </p>
          <ToolDetail tool={request.tool} />
        </>
      )}
      {request.type === "question" &&
        request.questions.map(({ id, options, prompt }) => (
          <p key={id} className={styles["note"]}>
            <RevealedProse text={prompt} />{" "}
            <b>
              <RevealedProse text={chosen(outcome, id, options) ?? "No answer."} />
            </b>
          </p>
        ))}
      {request.type === "plan" && (
        <div className={styles["note"]}>
          {saysMore(request) && <Markdown text={request.plan} />}
          <PlanSteps plan={request.entries} />
        </div>
      )}
      {request.type === "form" && (
        <>
          <p className={styles["note"]}>
            {agent} said: “<Revealed text={request.message} />”
          </p>
          {request.fields.map((field) => (
            <p key={field.name} className={styles["note"]}>
              <Revealed text={field.label ?? field.name} />{" "}
              <b>
                <Revealed text={given(outcome, field)} />
              </b>
            </p>
          ))}
        </>
      )}
      {request.type === "url" && (
        <>
          <p className={styles["note"]}>
            {agent} said: “<Revealed text={request.message} />”
          </p>
          <p className={styles["note"]}>
            <code>
              <Revealed text={request.url} />
            </code>
          </p>
        </>
      )}
      {reason !== undefined && (
        <p className={styles["note"]}>
          <RevealedProse text={reason} />
        </p>
      )}
      {outcome.type === "answered" && outcome.by === "rules" && (
        <div className={styles["note"]}>
          {outcome.why !== undefined && <RevealedProse text={outcome.why} />}
          {outcome.rule !== undefined && <RuleReference rule={outcome.rule} />}
        </div>
      )}
      {outcome.type === "answered" && outcome.client !== undefined && (
        <p className={styles["note"]}>Answered {clientWords(outcome.client)}.</p>
      )}
    </>
  )
}

const reasonOf = (outcome: RequestOutcome): string | undefined => {
  if (outcome.type !== "answered") return undefined
  const { response } = outcome
  const mayHaveReason = response.type === "skip" || response.type === "reject" || response.type === "option"
  return mayHaveReason && response.reason !== undefined ? `You said: “${response.reason}”` : undefined
}

/** What people gave for a field, as they saw it. */
const given = (outcome: RequestOutcome, field: FormField): string => {
  if (outcome.type !== "answered" || outcome.response.type !== "content") return "No answer."
  return valueWords(field, valueOf(outcome.response.content, field.name)) ?? "Nothing."
}

const chosen = (
  outcome: RequestOutcome,
  questionId: string,
  options: ReadonlyArray<{ readonly id: string; readonly label: string }>
): string | undefined => {
  if (outcome.type !== "answered" || outcome.response.type !== "answers") return undefined
  const ids = outcome.response.answers.find((answer) => answer.questionId === questionId)?.optionIds
  return ids?.map((id) => options.find((option) => option.id === id)?.label ?? id).join(", ")
}
