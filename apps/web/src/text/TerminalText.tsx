import { settleLines } from "@signalbox/contracts/OutputLines"
import { memo } from "react"
import { parseAnsi } from "./ansi.ts"
import { Revealed } from "./Revealed.tsx"
import styles from "./TerminalText.module.css"

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
