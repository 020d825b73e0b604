import { Button } from "../design/Button.tsx"
import { useCopy } from "../design/useCopy.ts"
import { Revealed } from "../transcript/Revealed.tsx"
import styles from "./CodeBlock.module.css"

/** Code in a well, with its language and a way to copy it. */
export const CodeBlock = ({ code, language }: { readonly code: string; readonly language: string }) => {
  const { copied, copy } = useCopy()
  return (
    <figure className={styles["block"]}>
      <figcaption className={styles["bar"]}>
        <span>{language === "" ? "Code" : language}</span>
        <output>{copied}</output>
        <Button bare icon="copy" className={styles["copy"]} onClick={() => copy(code)}>
          Copy
        </Button>
      </figcaption>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls has to be reached by keyboard */}
      <pre className={`well ${styles["code"] ?? ""}`} tabIndex={0} aria-label="Code">
        <Revealed output text={code} />
      </pre>
    </figure>
  )
}
