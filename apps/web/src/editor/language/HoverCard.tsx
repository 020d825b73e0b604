/** What stands at a place of the text: what is wrong there, and what language servers say of it. */
import { useEffect, useLayoutEffect, useRef, useState } from "react"
import { useStore } from "../../browser/Store.ts"
import { Markdown } from "../../markdown/Markdown.tsx"
import { Revealed, RevealedProse } from "../../text/Revealed.tsx"
import type { Desk } from "./Desk.ts"
import styles from "./Language.module.css"
import type { Card } from "./Shown.ts"
import { severityWord } from "./words.ts"

export const HoverCard = ({ desk }: { readonly desk: Desk }) => {
  const card = useStore(desk.card)
  return card === undefined ? null : <Floating card={card} desk={desk} />
}

/** Pixels between the card and the line, and the edges of the window. */
const gap = 4

const Floating = ({ card, desk }: { readonly card: Card; readonly desk: Desk }) => {
  const element = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState({ left: card.x, top: card.bottom + gap })
  useEffect(() => {
    const { current } = element
    const hold = () => desk.hold(true)
    const leave = () => desk.hold(false)
    current?.addEventListener("mouseenter", hold)
    current?.addEventListener("mouseleave", leave)
    return () => {
      current?.removeEventListener("mouseenter", hold)
      current?.removeEventListener("mouseleave", leave)
    }
  }, [desk])
  useLayoutEffect(() => {
    const size = element.current?.getBoundingClientRect()
    if (size === undefined) return
    const above = card.top - gap - size.height
    const below = card.bottom + gap
    setPlace({
      left: Math.max(gap, Math.min(card.x, innerWidth - size.width - gap)),
      // Above the line, so that what follows stays in sight.
      top: above >= gap ? above : Math.min(below, Math.max(gap, innerHeight - size.height - gap))
    })
  }, [card])
  return (
    <div ref={element} role="tooltip" className={styles["card"]} style={place}>
      {card.findings.map(({ diagnostic, from, server, to }) => (
        <p key={JSON.stringify([from, to, server, diagnostic])} className={styles["finding"]}>
          <b data-severity={diagnostic.severity}>{severityWord[diagnostic.severity]}</b>{" "}
          <RevealedProse text={diagnostic.message} />{" "}
          <span className="meta">
            <Revealed text={[diagnostic.source ?? server, diagnostic.code].filter(Boolean).join(" ")} />
          </span>
        </p>
      ))}
      {card.parts.map(({ format, server, text }) => (
        <div key={server} className={styles["part"]}>
          {format === "markdown" ? (
            <Markdown text={text} />
          ) : (
            <p>
              <RevealedProse text={text} />
            </p>
          )}
        </div>
      ))}
    </div>
  )
}
