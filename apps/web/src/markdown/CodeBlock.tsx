import { Button } from "../design/Button.tsx"
import { useCopy } from "../design/useCopy.ts"
import { Revealed, RevealedProse } from "../text/Revealed.tsx"
import styles from "./CodeBlock.module.css"

/** Code in a well, with its language and a way to copy it. */
export const CodeBlock = (props: {
  readonly code: string
  readonly language: string
  /** It began in the entry before, which has its bar. */
  readonly continues?: boolean
  /** What follows of it in the next entries; absent where it ends here. */
  readonly rest?: (() => string) | undefined
}) => {
  const { code, continues = false, language, rest } = props
  return (
    <figure
      className={styles["block"]}
      data-continues={continues || undefined}
      data-goes-on={rest !== undefined || undefined}
    >
      {!continues && <Bar language={language} text={() => code + (rest?.() ?? "")} />}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls has to be reached by keyboard */}
      <pre className={`well ${styles["code"] ?? ""}`} tabIndex={0} aria-label={continues ? "Code, continued" : "Code"}>
        <Revealed output text={code} />
      </pre>
    </figure>
  )
}

const Bar = ({ language, text }: { readonly language: string; readonly text: () => string }) => {
  const { copied, copy } = useCopy()
  return (
    <figcaption className={styles["bar"]}>
      <span>{language === "" ? "Code" : <RevealedProse text={language} />}</span>
      <output>{copied}</output>
      <Button bare icon="copy" className={styles["copy"]} onClick={() => copy(text())}>
        Copy
      </Button>
    </figcaption>
  )
}
