import type { ReactNode } from "react"
import type { AnsiStyle } from "./ansi.ts"
import styles from "./StyledRun.module.css"

/** Text in the colours and the weight that a terminal gave it. `inverse`: in the colours of a cursor. */
export const StyledRun = (props: {
  readonly style: AnsiStyle & { readonly inverse?: true }
  readonly children: ReactNode
}) => {
  const { bold, colour, dim, inverse, underline } = props.style
  return (
    <span
      className={styles["run"]}
      data-colour={colour}
      data-bold={bold}
      data-dim={dim}
      data-underline={underline}
      data-inverse={inverse}
    >
      {props.children}
    </span>
  )
}
