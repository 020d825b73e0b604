/** A text of a request: its beginning, and all of it on demand. */
import { useState } from "react"
import { figure } from "../words/figures.ts"
import { Revealed } from "../text/Revealed.tsx"
import styles from "./LongText.module.css"

/** UTF-16 units that are shown before people ask for more. */
const shortest = 600

export const LongText = ({ label, text }: { readonly text: string; readonly label: string }) => {
  const [all, setAll] = useState(false)
  const cut = text.length > shortest
  return (
    <>
      <code className={styles["text"]}>
        <Revealed text={cut && !all ? text.slice(0, shortest) : text} />
        {cut && !all && "…"}
      </code>
      {cut && (
        <p className="meta">
          {all ? "All" : `The first ${figure(shortest)}`} of {figure(text.length)} characters{" "}
          <button
            type="button"
            className="link"
            aria-label={`${all ? "Show less" : "Show all"} of ${label}`}
            onClick={() => setAll(!all)}
          >
            {all ? "Show less" : "Show all"}
          </button>
        </p>
      )}
    </>
  )
}
