/** What a machine printed: the last lines, how many there are, and all of them on demand. */
import { memo, useState } from "react"
import { Button } from "../design/Button.tsx"
import { useCopy } from "../design/useCopy.ts"
import { parseAnsi } from "./ansi.ts"
import { figure } from "./figures.ts"
import styles from "./Output.module.css"
import { firstLines, lastLines, settleLines } from "./output.ts"
import { Revealed } from "./Revealed.tsx"

const closedLines = 8
/** More than this is copied, not read. */
const openLines = 2000

/** Colours and weight of terminals, nothing else of what they understand. */
export const TerminalText = memo(({ text }: { readonly text: string }) =>
  parseAnsi(settleLines(text)).map(({ style, text }, index) => (
    <span
      // eslint-disable-next-line react/no-array-index-key -- runs have no identity of their own
      key={index}
      className={styles["run"]}
      data-colour={style.colour}
      data-bold={style.bold}
      data-dim={style.dim}
      data-underline={style.underline}
    >
      <Revealed output text={text} />
    </span>
  ))
)

/** `from`: which end is shown first. Output ends with what matters, a file begins with it. */
export const Output = (props: {
  readonly text: string
  readonly label: string
  readonly from?: "start" | "end"
  readonly note?: string | undefined
}) => {
  const [all, setAll] = useState(false)
  const { copied, copy } = useCopy()
  const limit = all ? openLines : closedLines
  const excerpt = props.from === "start" ? firstLines(props.text, limit) : lastLines(props.text, limit)
  const cut = excerpt.shown < excerpt.total
  return (
    <>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls has to be reached by keyboard */}
      <pre className={`well ${styles["output"] ?? ""}`} tabIndex={0} aria-label={props.label}>
        <TerminalText text={excerpt.text} />
      </pre>
      {(cut || all || props.note !== undefined) && (
        <div className={styles["foot"]}>
          {props.note !== undefined && <span>{props.note}</span>}
          <span className={styles["lines"]}>
            {copied !== undefined && <output>{copied}</output>}
            {(cut || all) && `${figure(excerpt.shown)} of ${figure(excerpt.total)} lines`}
            {cut && !all && (
              <button type="button" className="link" onClick={() => setAll(true)}>
                Show all
              </button>
            )}
            {all && (
              <>
                <Button bare icon="copy" onClick={() => copy(props.text)}>
                  Copy all
                </Button>
                <button type="button" className="link" onClick={() => setAll(false)}>
                  Show {closedLines} lines
                </button>
              </>
            )}
          </span>
        </div>
      )}
    </>
  )
}
