/** Shows the suggestion of a file in its text, takes it away, and says it to a screen reader. */
import type { ThreadId } from "@signalbox/contracts/Ids"
import { announce } from "../../browser/announcer.ts"
import { suggestionPlaces } from "../../connection/suggestions.ts"
import type { EditedFile } from "../reporting/access.ts"
import { isNear, type Offer, offer, showOffer } from "./offer.ts"
import { partsOf } from "./places.ts"
import { heard } from "./words.ts"

/** Undefined if nothing is suggested, or the file has no text. */
export const offerIn = (file: EditedFile): Offer | undefined => file.buffer()?.state.field(offer, false)

export const put = (file: EditedFile, next: Offer | undefined): void => {
  if (offerIn(file) !== next) file.buffer()?.dispatch({ effects: showOffer.of(next) })
}

export const clear = (file: EditedFile): void => put(file, undefined)

/** Says the shown suggestion to those who hear the page. */
export const say = (file: EditedFile): void => {
  const state = file.buffer()?.state
  const now = offerIn(file)
  if (state === undefined || now === undefined) return
  const sentence = heard(state.doc, now, (edit) => isNear(state, edit))
  if (sentence !== undefined) announce(sentence)
}

/** Draws the line of another file that the shown suggestion leads to. */
export const lookAhead = async (threadId: ThreadId, file: EditedFile): Promise<void> => {
  const now = offerIn(file)
  const shown = now?.all[now.at]
  if (shown?.type !== "step" || shown.preview.length > 0) return
  const places = await suggestionPlaces(threadId, shown.id).catch(() => undefined)
  const seen = places?.files[0]?.places ?? []
  const [place] = seen
  const latest = offerIn(file)
  if (place === undefined || latest?.all[latest.at]?.id !== shown.id) return
  const [before, old, next, after] = partsOf(place)
  const preview = [
    { text: before, kind: "same" },
    { text: old, kind: "old" },
    { text: next.split("\n")[0] ?? "", kind: "new" },
    { text: after, kind: "same" }
  ] as const
  put(file, {
    ...latest,
    all: latest.all.map((each) =>
      each === shown ? { ...shown, seen, preview: preview.filter(({ text }) => text !== "") } : each
    )
  })
}
