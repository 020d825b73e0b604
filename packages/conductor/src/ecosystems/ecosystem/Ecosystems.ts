/** The ecosystem that a query is about: the one that it names, or else the one of the project. */
import * as Effect from "effect/Effect"
import { type Ecosystem, type PackageQuery, type PackageSource, SourceFailure } from "./Ecosystem.ts"

export interface NamedQuery extends PackageQuery {
  readonly ecosystem?: string | undefined
}

export interface Found {
  readonly ecosystem: string
  readonly source: PackageSource
}

const names = (ecosystems: ReadonlyArray<Ecosystem>): string => ecosystems.map(({ name }) => name).join(", ")

const chosen = Effect.fnUntraced(function* (ecosystems: ReadonlyArray<Ecosystem>, { cwd, ecosystem }: NamedQuery) {
  if (ecosystem !== undefined) {
    const named = ecosystems.find(({ name }) => name === ecosystem)
    if (named !== undefined) return named
    return yield* new SourceFailure({
      message: `There is no ecosystem ${JSON.stringify(ecosystem.slice(0, 50))}. There are: ${names(ecosystems)}.`
    })
  }
  const used = yield* Effect.filter(ecosystems, (one) => one.isUsedIn(cwd))
  const [only, another] = used
  if (only !== undefined && another === undefined) return only
  return yield* new SourceFailure({
    message:
      only === undefined
        ? `The folder ${cwd} does not say which ecosystem it uses. Name one: ${names(ecosystems)}.`
        : `The project uses ${names(used)}. Name the ecosystem that the package belongs to.`
  })
})

/** Finds the source of a package. */
export const find = Effect.fnUntraced(function* (
  ecosystems: ReadonlyArray<Ecosystem>,
  query: NamedQuery
): Effect.fn.Return<Found, SourceFailure> {
  const ecosystem = yield* chosen(ecosystems, query)
  return { ecosystem: ecosystem.name, source: yield* ecosystem.find(query) }
})
