/** Keys that work anywhere on the page, and the list of all keys. */
import { useEffect, useEffectEvent } from "react"
import { keyIsFree } from "./keyIsFree.ts"
import { preferences } from "./preferences.ts"

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** "Ctrl" as this machine's keyboard calls it. */
export const ctrl = isMac ? "⌘" : "Ctrl"

/** Whether a single letter may be a shortcut now: switched on, no text field, nothing modal or floating in front. */
export const takesLetter = (event: KeyboardEvent): boolean => preferences.get().letterKeys && keyIsFree(event)

export const hasCtrl = (event: { readonly ctrlKey: boolean; readonly metaKey: boolean }): boolean =>
  isMac ? event.metaKey : event.ctrlKey

/** The keys that open a setting of the composer, by its category: the first of each category that the agent offers. */
const settingKeys: { readonly [category: string]: { readonly code: string; readonly letter: string } } = {
  mode: { code: "KeyO", letter: "O" },
  model: { code: "KeyM", letter: "M" },
  thought_level: { code: "KeyT", letter: "T" }
}

const alt = isMac ? "⌥" : "Alt"

/** The category whose setting this key opens. By the place of the key: with Alt, letters become others on some keyboards. */
export const shortcutOf = (event: KeyboardEvent): string | undefined =>
  event.altKey && !event.ctrlKey && !event.shiftKey
    ? Object.entries(settingKeys).find(([, { code }]) => code === event.code)?.[0]
    : undefined

/** How that key is written; undefined for a category without one. */
export const keyOf = (category: string | undefined): string | undefined => {
  const key = category === undefined ? undefined : settingKeys[category]
  return key && `${alt} ${key.letter}`
}

export interface Actions {
  readonly newThread: () => void
  readonly nextWaiting: () => void
  /** Opens the page of all requests that wait. */
  readonly inbox: () => void
  readonly previousThread: () => void
  readonly nextThread: () => void
  readonly settings: () => void
  readonly keys: () => void
}

/** `G` waits this long for the second letter, milliseconds. */
const chordTime = 1500

const actionFor = (actions: Actions, event: KeyboardEvent, afterG: boolean): (() => void) | undefined => {
  if (hasCtrl(event) && event.key === ",") return actions.settings
  if (!takesLetter(event)) return undefined
  switch (event.key.toLowerCase()) {
    case "n":
      return actions.newThread
    case "[":
      return actions.previousThread
    case "]":
      return actions.nextThread
    case "?":
      return actions.keys
    case "w":
      return afterG ? actions.nextWaiting : undefined
    case "i":
      return afterG ? actions.inbox : undefined
    default:
      return undefined
  }
}

export const useShortcuts = (actions: Actions): void => {
  const onKey = useEffectEvent((event: KeyboardEvent, afterG: boolean) => {
    const action = actionFor(actions, event, afterG)
    if (action === undefined) return
    event.preventDefault()
    action()
  })
  useEffect(() => {
    let lastG = Number.NEGATIVE_INFINITY
    const listen = (event: KeyboardEvent) => {
      onKey(event, event.timeStamp - lastG < chordTime)
      lastG = event.key.toLowerCase() === "g" && takesLetter(event) ? event.timeStamp : Number.NEGATIVE_INFINITY
    }
    addEventListener("keydown", listen)
    return () => removeEventListener("keydown", listen)
  }, [])
}

/** The list that `?` shows. */
export const keyList: ReadonlyArray<{ readonly keys: ReadonlyArray<string>; readonly does: string }> = [
  { keys: ["N"], does: "New thread" },
  { keys: ["G W"], does: "Next thread that waits for you" },
  { keys: ["G I"], does: "All requests that wait for you. There J and K go to the next and the previous one" },
  { keys: ["["], does: "Previous thread" },
  { keys: ["]"], does: "Next thread" },
  { keys: ["1", "…", "9"], does: "Give that answer of the card in front" },
  { keys: [`${ctrl} .`], does: "Stop the turn" },
  { keys: [`${ctrl} Enter`], does: "Send the prompt, or queue it while a turn runs" },
  { keys: [`${ctrl} Shift Enter`], does: "Send the prompt into the turn that runs, or stop that turn for it" },
  { keys: [`${alt} O`, `${alt} M`, `${alt} T`], does: "Choose the mode, the model, how much it thinks" },
  { keys: ["Esc"], does: "Back to the transcript; close what floats. Never stops or rejects" },
  { keys: ["J", "K"], does: "Next, previous entry of the transcript" },
  { keys: ["Space", "Enter"], does: "Open or close the entry" },
  { keys: ["Home"], does: "Go to the beginning of the thread" },
  { keys: ["End"], does: "Follow the end of the transcript" },
  { keys: [`${ctrl} P`], does: "Open a file of the thread by its name" },
  { keys: [`${ctrl} S`, `${ctrl} F`], does: "In the editor: save, search" },
  { keys: ["Tab", `${alt} ]`, `${alt} \\`], does: "In the editor: accept a suggestion, show the next, ask for one" },
  { keys: [`${ctrl} ,`], does: "Settings" },
  { keys: ["?"], does: "This list" }
]
