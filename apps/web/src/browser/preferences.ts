/** What a person prefers in this browser. Nothing of it is known to the server. */
import { makeStore, useStore } from "./Store.ts"

export interface Preferences {
  readonly theme: "system" | "light" | "dark"
  /** Whether single letters are shortcuts. */
  readonly letterKeys: boolean
  /** Whether the side panel stands open where there is room for it. */
  readonly sidePanel: boolean
}

const key = "signalbox.preferences"
const defaults: Preferences = { theme: "system", letterKeys: true, sidePanel: true }

/** What an earlier visit left; anything that isn't ours counts as nothing. */
const read = (): Preferences => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "{}")
    if (typeof stored !== "object" || stored === null) return defaults
    return {
      theme: "theme" in stored && (stored.theme === "light" || stored.theme === "dark") ? stored.theme : "system",
      letterKeys: !("letterKeys" in stored && stored.letterKeys === false),
      sidePanel: !("sidePanel" in stored && stored.sidePanel === false)
    }
  } catch {
    return defaults
  }
}

export const preferences = makeStore<Preferences>(read())

const showTheme = ({ theme }: Preferences): void => {
  if (theme === "system") delete document.documentElement.dataset["theme"]
  else document.documentElement.dataset["theme"] = theme
}
showTheme(preferences.get())

export const prefer = (change: Partial<Preferences>): void => {
  preferences.set({ ...preferences.get(), ...change })
  showTheme(preferences.get())
  try {
    localStorage.setItem(key, JSON.stringify(preferences.get()))
  } catch {
    // A browser that keeps nothing: the choice holds until the page is closed.
  }
}

export const usePreferences = (): Preferences => useStore(preferences)
