/** Finds what a model names: packages, skills, servers. Names are compared without hyphens and underscores. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { folded, type PackageKnowledge } from "../knowledge/Knowledge.ts"
import { described } from "./Annotations.ts"

/** Why something is not had, as a sentence for a model. */
export class NotHad extends Schema.TaggedError<NotHad>()("NotHad", { message: Schema.String }) {}

/** The failure of a tool, as a model reads it. */
export const inWords = Effect.mapError(({ message }: NotHad) => message)

/** The parameter of tools that names a package. */
export const packageName = described("The name of the package, as list_skills names it")

export const fail = (message: string) => Effect.fail(new NotHad({ message }))

const listed = (names: ReadonlyArray<string>): string =>
  names.length === 0 ? "There are none." : `There are: ${names.slice(0, 50).join(", ")}.`

/** The package of this name that brings something. */
export const packageOf = (
  found: ReadonlyArray<PackageKnowledge>,
  name: string
): Effect.Effect<PackageKnowledge, NotHad> => {
  const exact = found.filter((one) => one.name === name)
  const [only, other] = exact.length > 0 ? exact : found.filter((one) => folded(one.name) === folded(name))
  if (only === undefined)
    return fail(
      `No dependency ${JSON.stringify(name.slice(0, 100))} brings anything for agents. ${listed(found.map((one) => one.name))}`
    )
  return other === undefined
    ? Effect.succeed(only)
    : fail(`${only.name} (${only.ecosystem}) and ${other.name} (${other.ecosystem}) have this name.`)
}

/** One of the things of this kind that a package brings. */
export const oneOf = <A extends { readonly name: string }>(
  things: ReadonlyArray<A>,
  kind: string,
  name: string
): Effect.Effect<A, NotHad> => {
  const found = things.find((one) => one.name === name) ?? things.find((one) => folded(one.name) === folded(name))
  return found === undefined
    ? fail(`There is no ${kind} ${JSON.stringify(name.slice(0, 100))}. ${listed(things.map((one) => one.name))}`)
    : Effect.succeed(found)
}
