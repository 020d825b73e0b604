/**
 * The constructs that the generated schemas use beside Effect's own.
 *
 * A schema here only checks: its decoded value is the value of the wire. An annotation says how a malformed part is
 * replaced. `Lenient` reads the annotation only after a failed check, so well-formed messages have no extra cost.
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
 * The replacement for a malformed field.
 * - `absent`: the field counts as not sent. Its default, if it has one, is what absence means to the reader.
 * - `empty`: a required list counts as empty.
 * - `nullIsAbsent`, `nullIsEmpty`: only `null` is replaced; any other malformed value fails.
 */
export type OnMalformed = "absent" | "empty" | "nullIsAbsent" | "nullIsEmpty"

/**
 * The type of a string that is none of the known ones. It is opaque, so comparing with a known one narrows a union.
 * Code can read a value of it as a string, but not write one.
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

/** A required list that counts as empty when malformed, but must be present. */
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
