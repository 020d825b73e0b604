/** Work on long lists in slices, so that everything else of this process goes on in between. */
import * as Effect from "effect/Effect"

/** Milliseconds that a slice may take. */
const longest = 8
/** Items between two looks at the clock. */
const stride = 32

/** Items of a list that comes in a message of some 100 kB. */
const many = 500

/** Makes some things of each item. */
export const flatMap = <A, B>(
  items: ReadonlyArray<A>,
  make: (item: A, index: number) => ReadonlyArray<B>
): Effect.Effect<ReadonlyArray<B>> => {
  const made: Array<B> = []
  const slice = (from: number): Effect.Effect<ReadonlyArray<B>> => {
    const until = performance.now() + longest
    for (let at = from; at < items.length; at += stride) {
      if (performance.now() > until) return Effect.flatMap(Effect.yieldNow, () => slice(at))
      for (const [index, item] of items.slice(at, at + stride).entries())
        for (const one of make(item, at + index)) made.push(one)
    }
    return Effect.succeed(made)
  }
  // What was done just before, such as parsing the whole of it, was no slice.
  return items.length > many ? Effect.flatMap(Effect.yieldNow, () => slice(0)) : Effect.suspend(() => slice(0))
}
