/** What changed in a file, in one column: old number, new number, sign, text. */
import { diffModel, diffSize, type Row, type Span } from "@signalbox/contracts/DiffModel"
import { allLineChanges, largeDiff } from "@signalbox/contracts/LineChanges"
import type { FileDiff, LineChanges } from "@signalbox/contracts/ToolCall"
import { memo, useState } from "react"
import { byteSize, count, figure } from "../words/figures.ts"
import { proseText, Revealed } from "../text/Revealed.tsx"
import { comparison } from "../browser/surroundings.ts"
import { Button } from "../design/Button.tsx"
import styles from "./Diff.module.css"

const firstRows = 60
const moreRows = 2000

export const Diff = memo(({ diff }: { readonly diff: FileDiff }) => {
  const size = diffSize(diff)
  const [compare, setCompare] = useState(size <= largeDiff)
  if (!compare)
    return (
      <div className={styles["foot"]}>
        <span>A large change: {byteSize(size)} before and after.</span>
        <Button onClick={() => setCompare(true)}>Compare</Button>
        <InEditor diff={diff} />
      </div>
    )
  return <Rows diff={diff} />
})

const Rows = ({ diff }: { readonly diff: FileDiff }) => {
  const model = diffModel(diff)
  const [limit, setLimit] = useState(firstRows)
  const [unfolded, setUnfolded] = useState<ReadonlySet<Row>>(new Set())
  const rows = model.rows.flatMap((row): ReadonlyArray<Row> =>
    row.type === "skip" && unfolded.has(row) ? row.rows : [row]
  )
  const shown = rows.slice(0, limit)
  const notes = [
    model.unmatched && "Too different to be matched line by line.",
    diff.newText === "" && diff.oldText !== null && "Nothing is left of this text.",
    model.pieces && "Pieces of a file: its line numbers were not sent.",
    model.rows.length === 0 && "The text is empty.",
    diff.oldText !== null && diff.oldText === diff.newText && "Nothing is changed."
  ].filter((note) => note !== false)
  const path = proseText(diff.path)
  return (
    <>
      {rows.length > 0 && (
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/prefer-tag-over-role -- a box that scrolls has to be reached by keyboard
        <div className={styles["diff"]} tabIndex={0} role="group" aria-label={`Changed lines of ${path}`}>
          <table data-numbers={model.pieces ? "none" : diff.oldText === null ? "new" : "both"}>
            <tbody>
              {shown.map((row) => (
                <DiffRow
                  key={keyOf(row)}
                  row={row}
                  onUnfold={() => setUnfolded((before) => new Set(before).add(row))}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {(notes.length > 0 || shown.length < rows.length || comparison() !== undefined) && (
        <div className={styles["foot"]}>
          <span>{notes.join(" ")}</span>
          {shown.length < rows.length && (
            <span className={styles["more"]}>
              {figure(shown.length)} of {figure(rows.length)} lines ·{" "}
              <button type="button" className="link" onClick={() => setLimit(limit + moreRows)}>
                {rows.length - limit > moreRows ? `Show ${figure(moreRows)} more` : "Show all"}
              </button>
            </span>
          )}
          <InEditor diff={diff} />
        </div>
      )}
    </>
  )
}

/** Opens the change in the editor around the page, where there is one. */
const InEditor = ({ diff }: { readonly diff: FileDiff }) => {
  const compare = comparison()
  return (
    compare && (
      <button type="button" className="link" onClick={() => compare(diff)}>
        Compare in the editor
      </button>
    )
  )
}

const keyOf = (row: Row): string => {
  switch (row.type) {
    case "same":
      return `${row.old}:${row.new}`
    case "del":
      return `-${row.old}`
    case "add":
      return `+${row.new}`
    case "skip":
      return `skip${row.rows[0]?.old ?? ""}`
  }
}

const DiffRow = memo(({ onUnfold, row }: { readonly row: Row; readonly onUnfold: () => void }) => {
  if (row.type === "skip")
    return (
      <tr className={styles["skip"]}>
        <td colSpan={4}>
          <button type="button" onClick={onUnfold}>
            Show {count(row.rows.length, "unchanged line")}
          </button>
        </td>
      </tr>
    )
  const type = row.type
  return (
    <tr className={styles[type]}>
      <td className={styles["old"]}>{type === "add" ? "" : row.old}</td>
      <td className={styles["new"]}>{type === "del" ? "" : row.new}</td>
      <td className={styles["sign"]}>{type === "add" ? "+" : type === "del" ? "−" : ""}</td>
      <td className={styles["text"]}>
        {type === "same" ? <Revealed output text={row.text} /> : <Spans spans={row.spans} />}
      </td>
    </tr>
  )
}, sameRow)

function sameRow(before: { readonly row: Row }, after: { readonly row: Row }): boolean {
  return before.row === after.row
}

const Spans = ({ spans }: { readonly spans: ReadonlyArray<Span> }) =>
  spans.map(({ changed, text }, index) =>
    changed ? (
      // eslint-disable-next-line react/no-array-index-key -- spans have no identity of their own
      <em key={index}>
        <Revealed output text={text} />
      </em>
    ) : (
      // eslint-disable-next-line react/no-array-index-key -- spans have no identity of their own
      <Revealed key={index} output text={text} />
    )
  )

/** "+31 −9", or nothing while nobody asked to compare. */
export const DiffFigures = ({ diffs }: { readonly diffs: ReadonlyArray<FileDiff> }) => {
  let [added, removed] = [0, 0]
  const changes = allLineChanges(diffs)
  for (const diff of diffs) {
    const lines = changes.get(diff)
    if (lines === undefined) return null
    added += lines.added
    removed += lines.removed
  }
  return <LineFigures added={added} removed={removed} />
}

export const LineFigures = ({ added, removed }: LineChanges) => (
  <span className={styles["figures"]}>
    <span className={styles["plus"]}>+{figure(added)}</span>
    <span className={styles["minus"]}>−{figure(removed)}</span>
  </span>
)
