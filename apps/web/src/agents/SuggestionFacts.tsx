/** What became of an agent's suggestions in the last 30 days. Nothing for an agent that is neither asked nor chosen. */
import { refusalWords } from "@signalbox/contracts/RefusalWords"
import type { SuggestionFigures, SuggestionQuality } from "@signalbox/contracts/SuggestionQuality"
import { Icon } from "../design/Icon.tsx"
import * as Time from "../words/time.ts"
import styles from "./AgentCard.module.css"

const SuggestionFacts = (props: { readonly quality: SuggestionQuality; readonly providerId: string }) => {
  const { providerId, quality } = props
  const counted = quality.agents.find((agent) => agent.providerId === providerId)
  if (counted === undefined && quality.chosen !== providerId) return null
  return (
    <section className={styles["command"]} aria-label="Suggestions in the last 30 days">
      <Icon name="edit" />
      <span className={styles["name"]}>Suggestions</span>
      <div className={styles["value"]}>
        {counted === undefined ? (
          <p>{quality.problem?.title ?? "Chosen in the settings. Not asked yet."}</p>
        ) : (
          sentencesOf(counted.last30Days).map((sentence) => <p key={sentence}>{sentence}</p>)
        )}
      </div>
      <span className={styles["took"]}>{counted === undefined ? "" : "30 days"}</span>
    </section>
  )
}

export default SuggestionFacts

/** What the figures say, a sentence each. */
export const sentencesOf = (figures: SuggestionFigures): ReadonlyArray<string> => {
  const { accepted, answered, dismissed, failed, latency, overtaken, reasons, refused, stale } = figures
  const unused = figures.ignored + figures.replaced
  if (accepted + dismissed + unused + stale + refused + answered + failed + overtaken === 0) return ["Not asked."]
  const why = reasons.map(({ reason, times }) => `${times} ${refusalWords[reason] ?? reason}`).join(", ")
  return [
    `${accepted} accepted, ${dismissed} dismissed, ${unused} not used, ${stale} too late, ${refused} refused.`,
    ...(refused > 0 ? [`Refused: ${why}.`] : []),
    ...(latency === undefined ? [] : [timesOf(answered, latency)]),
    ...(failed > 0 ? [`${failed === 1 ? "1 question" : `${failed} questions`} failed.`] : [])
  ]
}

const timesOf = (answers: number, { p50, p95 }: { readonly p50: number; readonly p95: number }): string =>
  answers === 1
    ? `The one answer took ${Time.latency(p50)}.`
    : `Half of ${answers} answers came within ${Time.latency(p50)}, 95 % within ${Time.latency(p95)}.`
