/** What the agent had said when its answer broke off, and was begun anew: one quiet line, with all of it behind. */
import type { ItemView } from "@signalbox/contracts/ThreadView"
import { useMemo } from "react"
import { Markdown } from "../markdown/Markdown.tsx"
import { EntryFrame, EntryLine } from "./Entry.tsx"
import styles from "./Entry.module.css"
import { count } from "../words/figures.ts"
import { useOpen } from "./openings.ts"
import { countWords } from "./output.ts"

export const TriedEntry = ({ item }: { readonly item: Extract<ItemView, { readonly type: "message" }> }) => {
  const opening = useOpen(item.itemId)
  const words = useMemo(() => countWords(item.text), [item.text])
  return (
    <EntryFrame at={item.at} icon="text">
      <EntryLine
        verb="Tried again"
        marks={{ late: item.late, replayed: item.replayed }}
        opening={opening}
        end={<span>{count(words, "word")}</span>}
      >
        <span className={styles["text"]}>The answer broke off and was started again.</span>
      </EntryLine>
      {opening.open && (
        <div className={styles["message"]}>
          <Markdown text={item.text} growing={false} />
        </div>
      )}
    </EntryFrame>
  )
}
