import type { FileDiff } from "@signalbox/contracts/ToolCall"

/** What the page asks of whatever shows it: a browser, or the view of an editor, which sets its own ways. */
export interface Surroundings {
  /** Opens an address outside of the page. */
  readonly openAddress: (url: string) => void
  /** Loads the page again. */
  readonly reload: () => void
  /** Compares a change side by side. Missing where nothing but the page can show it. */
  readonly compare?: (diff: FileDiff) => void
}

let current: Surroundings = {
  openAddress: (url) => void window.open(url, "_blank", "noopener,noreferrer"),
  reload: () => location.reload()
}

/** Comes before anything is drawn. */
export const surroundedBy = (surroundings: Surroundings): void => void (current = surroundings)

export const openAddress = (url: string): void => current.openAddress(url)

/** Undefined where nothing but the page can show a change. */
export const comparison = (): Surroundings["compare"] => current.compare

export const reloadPage = (): void => current.reload()
