/** The line at the foot of the sidebar: how the page is connected and whether all is well. It opens the panel that says more. */
import { useRef } from "react"
import { placeAbove } from "../composer/placeAbove.ts"
import { health } from "../connection/health.ts"
import type { LinkState } from "../connection/link.ts"
import { useStore } from "../connection/Store.ts"
import { Icon } from "../design/Icon.tsx"
import { Lamp } from "../design/Lamp.tsx"
import type { LampStatus } from "../design/status.ts"
import { clock } from "../design/time.ts"
import styles from "./HealthEntry.module.css"
import { HealthPanel } from "./HealthPanel.tsx"
import { troublesOf } from "./healthWords.ts"

const panelId = "health"
const buttonId = "health-button"

export const HealthEntry = ({ link }: { readonly link: LinkState }) => {
  const floating = useRef<HTMLElement>(null)
  const report = useStore(health)
  const [lamp, text, bad] = summary(link, report)
  return (
    <>
      <button
        type="button"
        id={buttonId}
        className={styles["entry"]}
        popoverTarget={panelId}
        aria-label={`Health: ${text}`}
        title="How the server, its storage and its agents are"
      >
        <Lamp status={lamp} />
        <span className={bad ? `cut grow ${styles["bad"] ?? ""}` : "cut grow"}>{text}</span>
        <Icon name="right" className={styles["chevron"] ?? ""} />
      </button>
      <section
        ref={floating}
        id={panelId}
        popover="auto"
        data-floating=""
        aria-label="Health"
        tabIndex={-1}
        className={styles["floating"]}
        onToggle={(event) => {
          const button = document.getElementById(buttonId)
          if (event.newState !== "open" || button === null || floating.current === null) return
          placeAbove(floating.current, button, 640)
        }}
      >
        <HealthPanel link={link} report={report} />
      </section>
    </>
  )
}

type Summary = readonly [lamp: LampStatus, text: string, bad: boolean]

const summary = (link: LinkState, report: Parameters<typeof troublesOf>[0] | undefined): Summary => {
  if (link.state !== "open")
    return "since" in link
      ? ["lost", `As of ${clock(link.since)}`, true]
      : ["sent", `Connecting to ${location.host}`, false]
  const [worst] = report === undefined ? [] : troublesOf(report)
  return worst
    ? [worst.lamp, worst.words, worst.lamp === "failed"]
    : ["completed", `Connected, ${location.host}`, false]
}
