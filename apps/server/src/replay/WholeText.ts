/** Joins consecutive pieces of one text. How a text is cut depends on how fast it was read. */
import type { ProviderRuntimeEvent } from "@signalbox/contracts/ProviderRuntimeEvent"
import { isTextPiece, type TextPiece } from "@signalbox/contracts/TextEvents"

export interface WholeText {
  /** Takes events, and returns those that are complete now. */
  readonly push: (events: ReadonlyArray<ProviderRuntimeEvent>) => ReadonlyArray<ProviderRuntimeEvent>
  /** Returns the rest. */
  readonly end: () => ReadonlyArray<ProviderRuntimeEvent>
}

export const make = (): WholeText => {
  let open: { readonly first: TextPiece; readonly texts: Array<string> } | undefined

  const end = () => {
    if (open === undefined) return []
    const whole = { ...open.first, text: open.texts.join("") }
    open = undefined
    return [whole]
  }
  return {
    push: (events) => {
      const complete: Array<ProviderRuntimeEvent> = []
      for (const event of events) {
        if (isTextPiece(event) && open?.first.itemId === event.itemId) {
          open.texts.push(event.text)
          continue
        }
        complete.push(...end())
        if (isTextPiece(event)) open = { first: event, texts: [event.text] }
        else complete.push(event)
      }
      return complete
    },
    end
  }
}
