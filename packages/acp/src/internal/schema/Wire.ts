/**
 * The few constructs that the generated schemas are written in beside Effect's own.
 *
 * A schema here only checks: what it decodes to is what stood on the wire. What to do about a malformed part is an annotation. `Lenient`
 * reads it when the check has failed. So a well-formed message never pays for it.
 */
import * as Schema from "effect/Schema"

declare module "effect/Schema" {
  namespace Annotations {
    interface Annotations {
      /** What stands in for a malformed field; see {@link OnMalformed}. */
      readonly "acp/onMalformed"?: OnMalformed | undefined
      /** Malformed items of this array are dropped (ACP schema, `x-deserialize-skip-invalid-items`). */
      readonly "acp/skipInvalid"?: boolean | undefined
    }
  }
}

/**
 * - `absent`: the field counts as not sent. Its default, if it has one, is what absence means to the reader.
 * - `empty`: a required list counts as empty.
 * - `nullIsAbsent`, `nullIsEmpty`: the same for `null` only; anything else malformed fails.
 */
export type OnMalformed = "absent" | "empty" | "nullIsAbsent" | "nullIsEmpty"

/**
 * The type of a string that is none of the known ones. It is opaque, so that comparing with a known one tells the members of a union apart.
 * A value of it can be read (it is a string) but not written.
 */
export declare const enum Other {
  unlisted = "unlisted"
}

/** A string that is none of `known`: the open end of a union. */
export const otherThan = (known: ReadonlyArray<string>) =>
  Schema.String.pipe(
    Schema.refine((value): value is Other => !known.includes(value), { expected: `none of ${known.join(", ")}` })
  )

/** A JSON integer. 64-bit values may exceed what a double holds exactly; they are accepted as rounded. */
export const integer = Schema.Finite.check(
  Schema.makeFilter((value: number) => Number.isInteger(value), { expected: "an integer" })
)

export const unsigned = Schema.Finite.check(
  Schema.makeFilter((value: number) => Number.isInteger(value) && value >= 0, { expected: "an integer of at least 0" })
)

/** An optional field that counts as absent when malformed (ACP schema, `x-deserialize-default-on-error`). */
export const lenient = <S extends Schema.Top>(schema: S) =>
  Schema.optionalKey(schema).pipe(Schema.annotateKey({ "acp/onMalformed": "absent" }))

/** A required list that counts as empty when malformed, but has to be there. */
export const requiredOrEmpty = <S extends Schema.Top>(schema: S) =>
  schema.pipe(Schema.annotateKey({ "acp/onMalformed": "empty" }))

/** An optional field for which `null` means absent (ACP schema, `x-deserialize-default-on-null`). */
export const nullAsAbsent = <S extends Schema.Top>(schema: S) =>
  Schema.optionalKey(schema).pipe(Schema.annotateKey({ "acp/onMalformed": "nullIsAbsent" }))

/** A required list for which `null` means empty. */
export const nullAsEmpty = <S extends Schema.Top>(schema: S) =>
  schema.pipe(Schema.annotateKey({ "acp/onMalformed": "nullIsEmpty" }))

/** An array whose malformed items are dropped. */
export const skipInvalid = <S extends Schema.Top>(item: S) => Schema.Array(item).annotate({ "acp/skipInvalid": true })

/** Free-form extension data; nothing may be assumed about its values (ACP v1, extensibility). */
export type Meta = { readonly [key: string]: unknown }

/** The `_meta` field that every object of the protocol may carry. */
export const meta = lenient(Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)))
