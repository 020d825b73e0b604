/** Messages that are longer than one entry holds: which entries go on with one, and with a code block that is open in it. Pure. */
import type { ItemView } from "@signalbox/contracts/ThreadView"
import { type Fence, openFence, readSlice } from "../markdown/blocks.ts"

type Text = Extract<ItemView, { readonly type: "message" | "thought" }>

/** An entry that goes on with the text of the one before. `within`: in a code block. */
export interface Continuation {
  readonly within?: Fence
}

const isText = (item: ItemView | undefined): item is Text => item?.type === "message" || item?.type === "thought"

/** What is open at the end of a text never changes once another entry goes on with it. */
const known = new WeakMap<Text, { readonly within: Fence | undefined; readonly after: Continuation }>()

const afterText = (item: Text, within: Fence | undefined): Continuation => {
  const found = known.get(item)
  if (found !== undefined && isSameFence(found.within, within)) return found.after
  const fence = item.type === "message" ? openFence(item.text, within) : undefined
  const after: Continuation = fence === undefined ? {} : { within: fence }
  known.set(item, { within, after })
  return after
}

const isSameFence = (one: Fence | undefined, other: Fence | undefined): boolean =>
  one?.marker === other?.marker && one?.language === other?.language

/** Whether `item` goes on with the text of the item before it. */
const goesOn = (before: ItemView | undefined, item: ItemView): before is Text =>
  isText(before) && before.continued === true && before.type === item.type && before.turnId === item.turnId

/** What `item` goes on with, given the item before it and what that one goes on with. */
export const continuationOf = (
  item: ItemView,
  before: ItemView | undefined,
  ofBefore: Continuation | undefined
): Continuation | undefined => (goesOn(before, item) ? afterText(before, ofBefore?.within) : undefined)

/** The rest of the code block that is open at the end of an item. It is in the items that go on with it. */
export const codeBehind = (items: ReadonlyArray<ItemView>, itemId: string, fence: Fence): string => {
  let code = ""
  for (let index = items.findIndex((item) => item.itemId === itemId); index !== -1; index++) {
    const item = items[index + 1]
    if (item?.type !== "message" || !goesOn(items[index], item)) return code
    const [block] = readSlice(item.text, 0, "", fence).blocks
    if (block?.type !== "code" || !block.continues) return code
    code += block.code
    if (!block.open) return code
  }
  return code
}
