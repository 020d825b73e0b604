/** One message of a wire: its way, its answer, and both as they stand in the record. */
import { isNestedBeyond, isRecord } from "@signalbox/contracts/Json"
import type { Problem } from "@signalbox/contracts/Problem"
import { sentencesOf } from "@signalbox/contracts/Problem"
import type { WireAddress, WireLine, WireRow } from "@signalbox/contracts/Wire"
import { useEffect, useState } from "react"
import { problemOf } from "../connection/commands.ts"
import { readWire } from "../connection/wire.ts"
import { IconButton } from "../design/Button.tsx"
import { Diff } from "../diff/Diff.tsx"
import { Revealed } from "../text/Revealed.tsx"
import { Raw } from "../transcript/Raw.tsx"
import { count, figure } from "../words/figures.ts"
import { latency } from "../words/time.ts"
import styles from "./Wire.module.css"
import { nameOf, preciseTime, wayOf } from "./wireWords.ts"

type Texts =
  | { readonly state: "reading" }
  | { readonly state: "here"; readonly lines: ReadonlyArray<WireLine> }
  | { readonly state: "failed"; readonly problem: Problem }

const useTexts = ({ session, threadId }: WireAddress, lines: ReadonlyArray<number>): Texts => {
  const wanted = lines.join(" ")
  const [read, setRead] = useState<{ readonly wanted: string; readonly texts: Texts }>()
  useEffect(() => {
    const gone = new AbortController()
    const setTexts = (texts: Texts) => setRead({ wanted, texts })
    readWire({ threadId, session, lines: wanted.split(" ").map(Number) }, gone.signal).then(
      (found) => setTexts({ state: "here", lines: found }),
      (error: unknown) => {
        if (!gone.signal.aborted) setTexts({ state: "failed", problem: problemOf(error) })
      }
    )
    return () => gone.abort()
  }, [threadId, session, wanted])
  return read?.wanted === wanted ? read.texts : { state: "reading" }
}

const deepestIndented = 64

/** What a line of the tape says beside its envelope, which differs on each hop. What is cut, as it came. */
const saidIn = (text: string): string => {
  // Indenting multiplies the length of what is nested so deeply.
  if (isNestedBeyond(text, deepestIndented)) return text
  try {
    const message: unknown = JSON.parse(text)
    if (!isRecord(message)) return text
    const { error, params, payload, result } = message
    return JSON.stringify(params ?? payload ?? result ?? error ?? null, null, 2)
  } catch {
    return text
  }
}

export const WireDetail = (props: {
  readonly address: WireAddress
  readonly row: WireRow
  /** Its answer, or its request. */
  readonly pair: WireRow | undefined
  readonly places: ReadonlyArray<string>
  readonly onClose: () => void
}) => {
  const { address, onClose, pair, places, row } = props
  const asked = row.kind === "answer" ? pair : row
  const answered = row.kind === "answer" ? row : pair
  const lines = [asked?.line, answered?.line, row.changed].filter((line) => line !== undefined)
  const texts = useTexts(address, lines)
  const lineOf = (line: number | undefined) =>
    texts.state === "here" ? texts.lines.find((one) => one.line === line) : undefined
  const before = lineOf(row.changed)
  const after = lineOf(row.line)
  return (
    <section className={styles["detail"]} aria-label="Message">
      <header>
        <h2>
          <code>
            <Revealed text={nameOf(row)} />
          </code>{" "}
          {row.kind}
        </h2>
        <IconButton icon="x" label="Close the message" hint="Esc" onClick={onClose} />
      </header>
      <dl>
        <dt>Way</dt>
        <dd>
          <Revealed text={wayOf(row, places)} />
        </dd>
        <dt>Time</dt>
        <dd>{preciseTime(row.at)}</dd>
        {answered?.tookMs !== undefined && (
          <>
            <dt>Took</dt>
            <dd>{latency(answered.tookMs)}</dd>
          </>
        )}
        <dt>Lines</dt>
        <dd>{[row.line, ...row.lines].map(figure).join(", ")} of the tape</dd>
        {row.times !== undefined && (
          <>
            <dt>Messages</dt>
            <dd>{count(row.times.sent, "message")} of one text. The first one is shown.</dd>
          </>
        )}
      </dl>
      {texts.state === "failed" && <p role="alert">{sentencesOf(texts.problem)}</p>}
      {texts.state === "reading" && <p className="quiet">Reading the tape…</p>}
      {before !== undefined && after !== undefined && (
        <div className={styles["text"]}>
          <h3>
            What <Revealed text={places[row.from] ?? "the part"} /> changed
          </h3>
          <Diff diff={{ path: nameOf(row), oldText: saidIn(before.text), newText: saidIn(after.text) }} />
        </div>
      )}
      {texts.state === "here" && (
        <>
          <Text
            name={asked === undefined || asked.kind === "request" ? "Request" : "Message"}
            line={lineOf(asked?.line)}
          />
          <Text name="Answer" line={lineOf(answered?.line)} />
          {texts.lines.length < new Set(lines).size && (
            <p className="quiet">A line is not on the tape any more. Tapes are cut when they grow too long.</p>
          )}
        </>
      )}
    </section>
  )
}

const Text = ({ line, name }: { readonly name: string; readonly line: WireLine | undefined }) =>
  line === undefined ? null : (
    <div className={styles["text"]}>
      <h3>
        {name}{" "}
        <span className="meta">
          line {figure(line.line)}, {count(line.characters, "character")}
        </span>
      </h3>
      <Raw json={line.text} label={name} />
      {line.text.length < line.characters && (
        <p className="quiet">The first {figure(line.text.length)} characters. The tape has the rest.</p>
      )}
    </div>
  )
