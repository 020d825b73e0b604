/**
 * Knows of which texts an editor has findings. It says only that findings of a file have changed: neither who has looked at the file, nor at
 * which text. So what is heard counts when it has been quiet for a moment.
 */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"

/** Milliseconds without news after which findings count. A language may report on syntax first, and on types later. */
const quietFor = 1000
/** Milliseconds for news about a changed text whose file was reported on before. Findings that stay none are no news. */
const changedWithin = 4000
/** Milliseconds that a question waits. */
const waitsFor = 8000
/** Milliseconds after which nobody is expected to report on a file that nobody has reported on. */
const givenUpAfter = 30_000

/** Takes the news about files, by their uris. */
export interface Hearing {
  readonly opened: (uri: string) => void
  readonly closed: (uri: string) => void
  readonly changed: (uri: string) => void
  readonly found: (uris: ReadonlyArray<string>) => void
}

export interface Source {
  readonly open: () => ReadonlyArray<string>
  readonly hasFindings: (uri: string) => boolean
  /** Returns what ends it. */
  readonly listen: (hearing: Hearing) => () => void
}

interface Known {
  /** When its present text came. */
  readonly since: number
  /** The last news about the present text. */
  readonly heardAt?: number
  /** Whether there was news about a text of this file. */
  readonly isFollowed: boolean
}

export interface Reports {
  /** Waits for news about the text of an open file as it is now. False if it is not known yet. */
  readonly settled: (uri: string) => Effect.Effect<boolean>
}

/** Listens until the scope is closed. */
export const make = Effect.fnUntraced(function* (source: Source): Effect.fn.Return<Reports, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const files = new Map<string, Known>()
  let news = Deferred.makeUnsafe<void>()
  const of = (uri: string): Known => {
    const known = files.get(uri) ?? { since: now(), isFollowed: source.hasFindings(uri) }
    files.set(uri, known)
    return known
  }
  for (const uri of source.open()) of(uri)

  yield* Effect.acquireRelease(
    Effect.sync(() =>
      source.listen({
        opened: (uri) => void files.set(uri, { since: now(), isFollowed: source.hasFindings(uri) }),
        closed: (uri) => void files.delete(uri),
        changed: (uri) => void files.set(uri, { since: now(), isFollowed: of(uri).isFollowed }),
        found: (uris) => {
          for (const uri of uris) {
            const known = files.get(uri)
            if (known !== undefined) files.set(uri, { since: known.since, heardAt: now(), isFollowed: true })
          }
          Deferred.doneUnsafe(news, Exit.void)
          news = Deferred.makeUnsafe()
        }
      })
    ),
    (end) => Effect.sync(end)
  )

  /** The time at which the findings count, unless there is news before. */
  const dueOf = ({ heardAt, isFollowed, since }: Known): number => {
    if (heardAt !== undefined) return heardAt + quietFor
    return isFollowed ? since + changedWithin : since + givenUpAfter
  }

  return {
    settled: Effect.fnUntraced(function* (uri) {
      const end = now() + waitsFor
      while (true) {
        const rest = dueOf(of(uri)) - now()
        if (rest <= 0) return true
        const left = end - now()
        // Whoever reports without a pause is taken at its word.
        if (left <= 0) return of(uri).heardAt !== undefined
        yield* Effect.raceFirst(Effect.sleep(Math.min(rest, left)), Deferred.await(news))
      }
    })
  }
})
