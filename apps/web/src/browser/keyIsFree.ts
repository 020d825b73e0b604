const textTypes = "input:not([type=radio], [type=checkbox], [type=button], [type=submit])"

/** Whether a plain key belongs to the page: no modifier, nobody writes or picks from a list, nothing floats in front. */
export const keyIsFree = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !(
    event.target instanceof HTMLElement &&
    (event.target.isContentEditable || event.target.matches(`textarea, select, ${textTypes}`))
  ) &&
  document.querySelector("dialog:modal, [data-floating]:popover-open") === null
