/** Text in which every invisible character can be seen. */
import { revealAll, revealControls } from "@signalbox/contracts/Invisible"
import styles from "./Revealed.module.css"

/** `output` keeps joiners and line breaks as they are; everything else shows them. */
export const Revealed = ({ output, text }: { readonly text: string; readonly output?: boolean }) => (
  <>
    {(output ? revealControls(text) : revealAll(text)).map((piece, index) =>
      piece.type === "text" ? (
        piece.text
      ) : (
        // eslint-disable-next-line react/no-array-index-key -- pieces have no identity of their own
        <span key={index} className={styles["glyph"]} title={piece.name}>
          {piece.glyph}
          {piece.text === "\n" ? "\n" : null}
        </span>
      )
    )}
  </>
)
