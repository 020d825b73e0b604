import { useRef, useState } from "react"
import { link } from "../connection/link.ts"
import { useStore } from "../browser/Store.ts"
import { placeAbove } from "../design/placeAbove.ts"
import { Button, IconButton } from "../design/Button.tsx"
import { ScopeNote } from "../design/ScopeNote.tsx"
import { ctrl } from "../browser/shortcuts.ts"
import { prefer, usePreferences } from "../browser/preferences.ts"
import { ClientsDialog } from "./ClientsDialog.tsx"
import styles from "./SettingsPopover.module.css"

/** The id by which the shortcut finds the button. */
export const settingsButtonId = "settings-button"

const themes = [
  ["system", "System"],
  ["light", "Light"],
  ["dark", "Dark"]
] as const

export const SettingsPopover = ({ showKeys }: { readonly showKeys: () => void }) => {
  const { letterKeys, theme } = usePreferences()
  const state = useStore(link)
  const floating = useRef<HTMLElement>(null)
  const [showsClients, setShowsClients] = useState(false)
  return (
    <>
      <IconButton id={settingsButtonId} icon="gear" label="Settings" hint={`${ctrl} ,`} popoverTarget="settings" />
      <section
        ref={floating}
        id="settings"
        popover="auto"
        data-floating=""
        aria-label="Settings"
        className={styles["floating"]}
        onToggle={(event) => {
          const button = document.getElementById(settingsButtonId)
          if (event.newState !== "open" || button === null || floating.current === null) return
          placeAbove(floating.current, button)
          floating.current.querySelector<HTMLInputElement>("input:checked")?.focus()
        }}
      >
        <fieldset className={styles["setting"]}>
          <legend>Theme</legend>
          <p>Follows the system unless you choose.</p>
          <div className={styles["segments"]}>
            {themes.map(([value, name]) => (
              <label key={value}>
                <input type="radio" name="theme" checked={theme === value} onChange={() => prefer({ theme: value })} />
                {name}
              </label>
            ))}
          </div>
        </fieldset>
        <div className={styles["setting"]}>
          <div className={styles["check"]}>
            <input
              id="letter-keys"
              type="checkbox"
              checked={letterKeys}
              onChange={(event) => prefer({ letterKeys: event.target.checked })}
            />
            <label htmlFor="letter-keys">
              <b>Single letters are shortcuts</b> <span>Only while no text field has the focus.</span>
            </label>
          </div>
        </div>
        <div className={styles["setting"]}>
          <Button
            needs="admin"
            onClick={() => {
              floating.current?.hidePopover()
              setShowsClients(true)
            }}
          >
            Clients…
          </Button>
          <ScopeNote needs="admin" />
        </div>
        <div className={`${styles["setting"]} ${styles["links"]}`}>
          <Button
            onClick={() => {
              floating.current?.hidePopover()
              showKeys()
            }}
          >
            All keys <kbd>?</kbd>
          </Button>
          {state.state === "open" && <span className="meta">Signalbox {state.server.version}</span>}
        </div>
      </section>
      {showsClients && <ClientsDialog onClose={() => setShowsClients(false)} />}
    </>
  )
}
