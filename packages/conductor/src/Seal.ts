/**
 * Marks what the components of a chain say themselves, so that an agent can't pass its words for theirs. Each mark counts once: who reads
 * one afterwards, in a record or on the disk, has nothing of it.
 */
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto"

type Meta = { readonly [name: string]: unknown } | null | undefined

/** The member of `_meta` that holds a mark: a number, a dot, and its code. */
const member = "signalbox/seal"

/** Marks may come in another order than they were made. Of more than these, the oldest that never came are given up. */
const mostMissing = 1000

export interface Seal {
  /** Never leaves this process while the session lives: with it, marks can be made. */
  readonly key: string
  /** A new mark, as members of `_meta`. */
  readonly mark: () => { readonly [name: string]: unknown }
  /** Whether there is a mark of this key that has not come before. Takes it. */
  readonly takes: (meta: Meta) => boolean
}

/** @param key by default a new one */
export const make = (key: string = randomUUID()): Seal => {
  let made = 0
  /** All marks up to this number have come, or are given up. */
  let floor = 0
  const taken = new Set<number>()
  const markOf = (number: number) => `${number}.${createHmac("sha256", key).update(String(number)).digest("base64url")}`
  const isNew = (number: number) => number > floor && !taken.has(number)
  const take = (number: number) => {
    taken.add(number)
    if (taken.size > mostMissing) floor = Math.min(...taken) - 1
    while (taken.delete(floor + 1)) floor += 1
  }
  return {
    key,
    mark: () => {
      made += 1
      return { [member]: markOf(made) }
    },
    takes: (meta) => {
      const mark = meta?.[member]
      if (typeof mark !== "string" || mark.length > 100) return false
      const number = Number(mark.slice(0, mark.indexOf(".")))
      if (!Number.isSafeInteger(number) || !isNew(number) || !isEqual(mark, markOf(number))) return false
      take(number)
      return true
    }
  }
}

const isEqual = (one: string, other: string): boolean => {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
