/** Places a floating element above its anchor, or below where there is more room, inside the window; `tallest` in CSS pixels. */
export const placeAbove = (floating: HTMLElement, anchor: HTMLElement, tallest = 440): void => {
  const at = anchor.getBoundingClientRect()
  const gap = 4
  const margin = 8
  const above = at.top - gap - margin
  const below = innerHeight - at.bottom - gap - margin
  const upwards = above >= Math.min(below, 360)
  floating.style.maxHeight = `${Math.min(tallest, upwards ? above : below)}px`
  floating.style.top = upwards ? "auto" : `${at.bottom + gap}px`
  floating.style.bottom = upwards ? `${innerHeight - at.top + gap}px` : "auto"
  floating.style.left = `${Math.max(margin, Math.min(at.left, innerWidth - floating.offsetWidth - margin))}px`
}
