/** The line at the foot of the sidebar: how the page is connected and whether all is well. It opens the panel that says more. */
import type { Health } from "@signalbox/contracts/Health"
import { Suspense, useRef, useState } from "react"
import { loaded } from "../design/loaded.tsx"
import { placeAbove } from "../design/placeAbove.ts"
import { health } from "../connection/health.ts"
import type { LinkState } from "../connection/link.ts"
import { useStore } from "../browser/Store.ts"
import { Icon } from "../design/Icon.tsx"
import { Lamp } from "../design/Lamp.tsx"
import type { LampStatus } from "../design/status.ts"
import { clock } from "../words/time.ts"
import styles from "./HealthEntry.module.css"
import { troublesOf } from "./healthWords.ts"

const HealthPanel = loaded("The health", async () => (await import("./HealthPanel.tsx")).HealthPanel)

const panelId = "health"
const buttonId = "health-button"

export const HealthEntry = ({ link }: { readonly link: LinkState }) => {
  const floating = useRef<HTMLElement>(null)
  const report = useStore(health)
  const [isWanted, want] = useState(false)
  const { lamp, text, tone } = summary(link, report)
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
        <Lamp status={lamp} still />
        <span className={`cut grow ${(tone && styles[tone]) ?? ""}`}>{text}</span>
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
          want(true)
          placeAbove(floating.current, button, 640)
        }}
      >
        {isWanted && (
          <Suspense>
            <HealthPanel link={link} report={report} />
          </Suspense>
        )}
      </section>
    </>
  )
}

interface Summary {
  readonly lamp: LampStatus
  readonly text: string
  readonly tone?: "bad" | "warning"
}

const summary = (link: LinkState, report: Health | undefined): Summary => {
  if (link.state !== "open")
    return "since" in link
      ? { lamp: "lost", text: `As of ${clock(link.since)}`, tone: "bad" }
      : { lamp: "sent", text: `Connecting to ${location.host}` }
  const [worst] = report === undefined ? [] : troublesOf(report)
  return worst
    ? { lamp: worst.lamp, text: worst.words, tone: worst.lamp === "failed" ? "bad" : "warning" }
    : { lamp: "completed", text: `Connected, ${location.host}` }
}
