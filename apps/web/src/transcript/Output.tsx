/** What a machine printed: the last lines, how many there are, and all of them on demand. */
import { useContext, useMemo, useRef, useState } from "react"
import type { TextAddress } from "../connection/outputs.ts"
import { Button } from "../design/Button.tsx"
import { Lamp } from "../design/Lamp.tsx"
import { useCopy } from "../design/useCopy.ts"
import { count, figure } from "../words/figures.ts"
import { OpeningsContext } from "./openings.ts"
import styles from "./Output.module.css"
import { type Excerpt, firstLines, lastLines } from "@signalbox/contracts/OutputLines"
import { TerminalText } from "../text/TerminalText.tsx"
import { useWholeText, type WholeText } from "./useWholeText.ts"

const closedLines = 8
/** Lines that are drawn at once when people ask for more. */
const moreLines = 2000

/** `from`: which end is shown first. Output ends with what matters, a file begins with it. */
export const Output = (props: {
  readonly text: string
  readonly label: string
  readonly from?: "start" | "end"
  readonly note?: string | undefined
  /** The address of the whole, when `text` is only its beginning. */
  readonly long?: TextAddress | undefined
  /** How the whole is laid out to be read. */
  readonly layOut?: (text: string) => string
}) => {
  const { layOut, long } = props
  const [limit, setLimit] = useState(closedLines)
  const box = useRef<HTMLPreElement>(null)
  const { keepPlace } = useContext(OpeningsContext)
  const keeping = (change: () => void) => (box.current ? keepPlace(box.current, change) : change())
  const { read, whole } = useWholeText(long, keeping)
  const begun = long !== undefined && whole.state !== "here"
  const source = whole.state === "here" ? whole.text : props.text
  const text = useMemo(() => (layOut && !begun ? layOut(source) : source), [layOut, begun, source])
  const excerpt =
    begun || props.from === "start" ? firstLines(text, begun ? closedLines : limit) : lastLines(text, limit)
  const opened = limit > closedLines
  const cut = excerpt.shown < excerpt.total
  return (
    <>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls has to be reached by keyboard */}
      <pre ref={box} className={`well ${styles["output"] ?? ""}`} tabIndex={0} aria-label={props.label}>
        <TerminalText text={excerpt.text} />
      </pre>
      {(cut || opened || begun || props.note !== undefined) && (
        <div className={styles["foot"]}>
          {props.note !== undefined && <span>{props.note}</span>}
          {begun ? (
            <Begun
              whole={whole}
              shown={cut ? count(excerpt.shown, "line") : figure(text.length)}
              length={long.long.length}
              read={() => {
                setLimit(moreLines)
                read()
              }}
            />
          ) : (
            (cut || opened) && (
              <Shown excerpt={excerpt} opened={opened} text={text} show={(lines) => keeping(() => setLimit(lines))} />
            )
          )}
        </div>
      )}
    </>
  )
}

/** Nothing but the beginning is here. */
const Begun = (props: {
  readonly whole: WholeText
  /** How much of it is shown. */
  readonly shown: string
  /** The length of the whole, UTF-16 units. */
  readonly length: number
  readonly read: () => void
}) => {
  const { length, read, shown, whole } = props
  return (
    <span className={styles["lines"]}>
      {whole.state === "failed" && (
        <span className={styles["failed"]} role="alert">
          <Lamp status="failed" /> Not read: {whole.problem.cause}
        </span>
      )}
      <span>
        The first {shown} of {count(length, "character")}
      </span>
      {whole.state === "reading" ? (
        <output>reading, {Math.floor(whole.done * 100)} %</output>
      ) : (
        <button type="button" className="link" onClick={read}>
          {whole.state === "failed" ? "Try again" : "Show all"}
        </button>
      )}
    </span>
  )
}

const Shown = (props: {
  readonly excerpt: Excerpt
  readonly opened: boolean
  readonly text: string
  /** Draws so many lines. */
  readonly show: (lines: number) => void
}) => {
  const { excerpt, opened, show, text } = props
  const left = excerpt.total - excerpt.shown
  const { copied, copy } = useCopy()
  return (
    <span className={styles["lines"]}>
      {copied !== undefined && <output>{copied}</output>}
      {`${figure(excerpt.shown)} of ${figure(excerpt.total)} lines`}
      {left > 0 && (
        <button type="button" className="link" onClick={() => show(excerpt.shown + moreLines)}>
          {left > moreLines ? `Show ${figure(moreLines)} more` : "Show all"}
        </button>
      )}
      {opened && (
        <>
          <Button bare icon="copy" onClick={() => copy(text)}>
            Copy all
          </Button>
          <button type="button" className="link" onClick={() => show(closedLines)}>
            Show {closedLines} lines
          </button>
        </>
      )}
    </span>
  )
}
