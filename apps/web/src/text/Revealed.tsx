/** Text in which invisible characters can be seen. */
import { inText, type Piece, revealAll, revealControls, revealProse } from "@signalbox/contracts/Invisible"
import styles from "./Revealed.module.css"

/** `output` keeps joiners and line breaks as they are; everything else shows them. */
export const Revealed = ({ output, text }: { readonly text: string; readonly output?: boolean }) =>
  drawn(output ? revealControls(text) : revealAll(text))

/** What people and agents write: what belongs to a script or an emoji stays as it is. */
export const RevealedProse = ({ text }: { readonly text: string }) => drawn(revealProse(text))

/** The text with glyphs, for places where none can be drawn apart. */
export const proseText = (text: string): string => inText(revealProse(text))

const drawn = (pieces: ReadonlyArray<Piece>) =>
  pieces.map((piece, index) =>
    piece.type === "text" ? (
      piece.text
    ) : (
      // eslint-disable-next-line react/no-array-index-key -- pieces have no identity of their own
      <span key={index} className={styles["glyph"]} title={piece.name}>
        {piece.glyph}
        {piece.text === "\n" ? "\n" : null}
      </span>
    )
  )
