/** Reads a text slice by slice. What was read stays, as long as the text only grows at its end. */
import { definitionsIn, type Fence, readSlice, type Slice } from "./blocks.ts"

export interface SliceReader {
  /** The first slices of the text, at most so many. One that is not read yet is read, at most one in a call. */
  readonly read: (text: string, most: number) => { readonly slices: ReadonlyArray<Slice>; readonly isWhole: boolean }
}

/** `within`: the code block that is open where the text begins. */
export const make = (within?: Fence): SliceReader => {
  let known = ""
  let definitions = ""
  let slices: Array<Slice> = []

  /** Keeps what the new text can't change: all slices but the last, whose end the text may have gone on from. */
  const follow = (text: string) => {
    if (text === known) return
    const now =
      text.startsWith(known) && !text.slice(lineBefore(known)).includes("]:") ? definitions : definitionsIn(text)
    slices = text.startsWith(known) && now === definitions ? slices.slice(0, -1) : []
    definitions = now
    known = text
  }

  return {
    read: (text, most) => {
      follow(text)
      const at = slices.at(-1)?.end ?? 0
      if (slices.length < most && at < text.length) {
        const slice = readSlice(text, at, definitions, at === 0 ? within : undefined)
        slices = [...slices, slice]
      }
      return {
        slices: slices.slice(0, most),
        isWhole: (slices.at(-1)?.end ?? 0) >= text.length && slices.length <= most
      }
    }
  }
}

const lineBefore = (text: string): number => text.lastIndexOf("\n") + 1
