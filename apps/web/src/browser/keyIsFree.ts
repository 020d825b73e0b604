const textTypes = "input:not([type=radio], [type=checkbox], [type=button], [type=submit])"

/** What has the key, also behind the edge of a shadow root. */
const targetOf = (event: KeyboardEvent): EventTarget | null => event.composedPath()[0] ?? event.target

/** Whether a plain key belongs to the page: no modifier, nobody writes or picks from a list, nothing floats in front. */
export const keyIsFree = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !isWriting(targetOf(event)) &&
  document.querySelector("dialog:modal, [data-floating]:popover-open") === null

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches(`textarea, select, ${textTypes}`))
