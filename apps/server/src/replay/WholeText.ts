/** Pieces of one text that follow each other, as one: how a text was cut depends on how fast it was read. */
import type { ProviderRuntimeEvent, RuntimeEventOf } from "@signalbox/contracts/ProviderRuntimeEvent"

export interface WholeText {
  /** What is complete with these. */
  readonly push: (events: ReadonlyArray<ProviderRuntimeEvent>) => ReadonlyArray<ProviderRuntimeEvent>
  /** What is left. */
  readonly end: () => ReadonlyArray<ProviderRuntimeEvent>
}

type Piece = RuntimeEventOf<"message.delta"> | RuntimeEventOf<"thought.delta">

const isPiece = (event: ProviderRuntimeEvent): event is Piece =>
  event.type === "message.delta" || event.type === "thought.delta"

export const make = (): WholeText => {
  let open: { readonly first: Piece; readonly texts: Array<string> } | undefined

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
        if (isPiece(event) && open?.first.itemId === event.itemId) {
          open.texts.push(event.text)
          continue
        }
        complete.push(...end())
        if (isPiece(event)) open = { first: event, texts: [event.text] }
        else complete.push(event)
      }
      return complete
    },
    end
  }
}
