/**
 * The projects whose rules the person trusts, in `trusted-projects.json` of the state folder. Trust is in one content of one file: a changed
 * file is not trusted.
 */
import { decode } from "@signalbox/contracts/JsonIssues"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { trustedProjectsIn } from "../base/StateDirectory.ts"
import * as RulesBytes from "./RulesBytes.ts"

const Document = Schema.Struct({
  /** The path of a rules file, and the SHA-256 of its bytes. */
  trusted: Schema.Record(Schema.String, Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)))
})

/** `changed`: another content of the file is trusted. */
export type Trust = "trusted" | "changed" | "never"

export type Trusted = ReadonlyMap<string, string>

export const trustIn = (trusted: Trusted, path: string, hash: string | undefined): Trust => {
  const known = trusted.get(path)
  if (known === undefined) return "never"
  return known === hash ? "trusted" : "changed"
}

const placeIn = (stateFolder: string) => ({
  path: trustedProjectsIn(stateFolder),
  source: "user" as const,
  folder: undefined
})

export const read = Effect.fnUntraced(function* (
  stateFolder: string
): Effect.fn.Return<Trusted, RulesBytes.RulesRefused> {
  const place = placeIn(stateFolder)
  const found = yield* RulesBytes.read(place)
  if (found === undefined) return new Map()
  const document = Result.flatMap(
    Result.try((): unknown => JSON.parse(found.text)),
    (value) => decode(Document, value)
  )
  return Result.isSuccess(document)
    ? new Map(Object.entries(document.success.trusted))
    : yield* new RulesBytes.RulesRefused({ path: place.path, message: "it is not as Signalbox writes it. Remove it" })
})

const change = Effect.fnUntraced(function* (stateFolder: string, edit: (trusted: Map<string, string>) => void) {
  const changed = Effect.gen(function* () {
    const trusted = new Map(yield* read(stateFolder))
    edit(trusted)
    const text = `${JSON.stringify({ trusted: Object.fromEntries(trusted) }, null, 2)}\n`
    yield* RulesBytes.write(placeIn(stateFolder), text)
  })
  yield* RulesBytes.alone(stateFolder, changed)
})

/** Trusts this content of a file. */
export const trust = (stateFolder: string, path: string, hash: string) =>
  change(stateFolder, (trusted) => void trusted.set(path, hash))

export const untrust = (stateFolder: string, path: string) =>
  change(stateFolder, (trusted) => void trusted.delete(path))
