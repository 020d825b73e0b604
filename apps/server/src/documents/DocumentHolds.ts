/**
 * Who edits which file: the first page that wants to, until it closes the file or another page takes over. Plain data,
 * which each function changes in one step.
 */
import type { PageId } from "@signalbox/contracts/Documents"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"

export type Holder = "here" | "elsewhere" | "nobody"

/** A page that has a file open. */
interface Visitor {
  readonly page: PageId
  readonly write: boolean
  readonly holder: SubscriptionRef.SubscriptionRef<Holder>
}

interface Held {
  readonly visitors: ReadonlyArray<Visitor>
  readonly holder: Visitor | undefined
}

const free: Held = { visitors: [], holder: undefined }

export interface DocumentHolds {
  /** Opens a file for a page until the scope closes. The stream says who edits it: now, and after every change. */
  readonly enter: (
    file: string,
    page: PageId,
    write: boolean
  ) => Effect.Effect<Stream.Stream<Holder>, never, Scope.Scope>
  /** Whether a page may save: it edits the file, or no page does. */
  readonly maySave: (file: string, page: PageId) => boolean
  /** Lets a page edit. False if it doesn't have the file open for that. */
  readonly takeOver: (file: string, page: PageId) => Effect.Effect<boolean>
}

export const make = (): DocumentHolds => {
  const files = new Map<string, Held>()

  const change = (file: string, held: Held): Effect.Effect<void> => {
    if (held.visitors.length === 0) files.delete(file)
    else files.set(file, held)
    return Effect.forEach(
      held.visitors,
      (visitor) =>
        SubscriptionRef.set(
          visitor.holder,
          held.holder === undefined ? "nobody" : held.holder === visitor ? "here" : "elsewhere"
        ),
      { discard: true }
    )
  }

  const leave = (file: string, visitor: Visitor): Effect.Effect<void> =>
    Effect.suspend(() => {
      const before = files.get(file) ?? free
      const visitors = before.visitors.filter((one) => one !== visitor)
      const holder = before.holder === visitor ? visitors.find(({ write }) => write) : before.holder
      return change(file, { visitors, holder })
    })

  return {
    enter: Effect.fnUntraced(function* (file, page, write) {
      const visitor: Visitor = { page, write, holder: yield* SubscriptionRef.make<Holder>("nobody") }
      yield* Effect.acquireRelease(
        Effect.suspend(() => {
          const { holder, visitors } = files.get(file) ?? free
          // The page of the holder comes again after its connection broke, and the server has not noticed yet.
          const next = write && (holder === undefined || holder.page === page) ? visitor : holder
          return change(file, { visitors: [...visitors, visitor], holder: next })
        }),
        () => leave(file, visitor)
      )
      return Stream.changes(SubscriptionRef.changes(visitor.holder))
    }),
    maySave: (file, page) => {
      const holder = files.get(file)?.holder
      return holder === undefined || holder.page === page
    },
    takeOver: (file, page) =>
      Effect.suspend(() => {
        const held = files.get(file) ?? free
        const visitor = held.visitors.findLast((one) => one.page === page && one.write)
        return visitor === undefined
          ? Effect.succeed(false)
          : Effect.as(change(file, { ...held, holder: visitor }), true)
      })
  }
}
