/** JSON texts that a program writes only on purpose: odd digits, spaces and escapes, members that come twice. */
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"

const odd = [
  "null",
  "9223372036854775807",
  "-9223372036854775808",
  "18446744073709551616",
  "1.0",
  "-0",
  "-0.0",
  "1e400",
  "1E+2",
  "123456789012345678901234567890.5",
  String.raw`"\ud800"`,
  String.raw`"\udfff\ud800"`,
  String.raw`"\\\"}{][,:\u0000\/"`,
  String.raw`"\\\\"`,
  '"\u2028 é 😀"',
  "{}",
  "[ ]",
  "\t{ }"
] as const

const names = [
  '"a"',
  '"a"',
  '"_meta"',
  '"method"',
  '"params"',
  '"id"',
  '"__proto__"',
  String.raw`"\u0061"`,
  '""'
] as const

const scalar = Arbitrary.schema(Schema.Literals(odd))
const name = Arbitrary.schema(Schema.Literals(names))
const space = Arbitrary.schema(Schema.Literals(["", "", " ", "\t", " \r "]))
const plain = Arbitrary.map(Arbitrary.schema(Schema.Json), (value) => JSON.stringify(value))

const members = (value: Arbitrary.Arbitrary<string>, between: string) =>
  Arbitrary.map(
    Arbitrary.array(
      Arbitrary.map(Arbitrary.all([space, name, space, value, space] as const), ([a, name, b, value, c]) =>
        between === "" ? `${a}${value}${c}` : `${a}${name}${b}${between}${value}${c}`
      )
    ),
    (parts) => parts.join(",")
  )

const list = (value: Arbitrary.Arbitrary<string>) => Arbitrary.map(members(value, ""), (text) => `[${text}]`)
const object = (value: Arbitrary.Arbitrary<string>) => Arbitrary.map(members(value, ":"), (text) => `{${text}}`)

const nested = (inner: Arbitrary.Arbitrary<string>) =>
  Arbitrary.flatMap(Arbitrary.schema(Schema.Literals([0, 1, 2, 3])), (kind) =>
    kind === 0 ? inner : kind === 1 ? list(inner) : kind === 2 ? object(inner) : plain
  )

/** Any JSON value as text. */
export const any = nested(nested(scalar))

/** The parameters of a message as text: an object, or a list. */
export const params = Arbitrary.flatMap(Arbitrary.schema(Schema.Boolean), (isList) =>
  isList ? list(any) : object(any)
)
