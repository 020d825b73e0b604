/**
 * Reading what another program wrote: strict first. When that fails, it decodes again without malformed parts. These are the ones that the
 * protocol says a reader should do without (ACP schema, `x-deserialize-*`).
 *
 * A malformed optional field counts as absent, and a malformed item of a list is dropped. A malformed required field fails the whole it
 * belongs to. Fields that the schema does not know are left out of the result either way.
 */
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import type { OnMalformed } from "./Wire.ts"

/** A part that was left out. `path` is written like `content[2].type`. */
export interface Dropped {
  readonly path: string
  readonly reason: string
  readonly value: unknown
}

export interface Read<A> {
  readonly value: A
  /** Empty when the message was well-formed. */
  readonly dropped: ReadonlyArray<Dropped>
}

/** Reads an unknown value; the failure says in one line what is wrong. */
export type Reader<A> = (input: unknown) => Result.Result<Read<A>, string>

const nothing: ReadonlyArray<Dropped> = []

const messageOf = (cause: Exit.Failure<unknown, Schema.SchemaError>["cause"]): string => {
  for (const reason of cause.reasons) if (reason._tag === "Fail") return reason.error.message
  return "Malformed"
}

/** The reader of a schema. Make it once, outside of what is called often. */
export const reader = <A>(schema: Schema.Codec<A, unknown>): Reader<A> => {
  const decode = Schema.decodeUnknownExit(schema)
  return (input) => {
    const strict = decode(input)
    if (Exit.isSuccess(strict)) return Result.succeed({ value: strict.value, dropped: nothing })
    const dropped: Array<Dropped> = []
    const repaired = repair(schema.ast, input, "", dropped)
    if (Result.isFailure(repaired)) return Result.fail(repaired.failure)
    const again = decode(repaired.success)
    return Exit.isSuccess(again) ? Result.succeed({ value: again.value, dropped }) : Result.fail(messageOf(again.cause))
  }
}

/** A reader that keeps the fields that the schema does not know, for who passes on what was read. */
export const keepingUnknown = <A>(schema: Schema.Codec<A, unknown>): Reader<A> => {
  const is = Schema.is(schema)
  return (input) => {
    if (is(input)) return Result.succeed({ value: input, dropped: nothing })
    const dropped: Array<Dropped> = []
    const repaired = repair(schema.ast, input, "", dropped)
    if (Result.isFailure(repaired)) return Result.fail(repaired.failure)
    return is(repaired.success) ? Result.succeed({ value: repaired.success, dropped }) : Result.fail("Malformed")
  }
}

/** What a reader reads, made into something else; `input` is what it was read from. */
export const map =
  <A, B>(inner: Reader<A>, f: (value: A, input: unknown) => B): Reader<B> =>
  (input) =>
    Result.map(inner(input), ({ dropped, value }) => ({ value: f(value, input), dropped }))

// What follows runs for malformed messages only.

type Repair = Result.Result<unknown, string>

const decoders = new WeakMap<SchemaAST.AST, (input: unknown) => Exit.Exit<unknown, Schema.SchemaError>>()

const decoderOf = (ast: SchemaAST.AST) => {
  let decode = decoders.get(ast)
  if (decode === undefined) {
    decode = Schema.decodeUnknownExit(Schema.make<Schema.Codec<unknown>>(ast))
    decoders.set(ast, decode)
  }
  return decode
}

const passes = (ast: SchemaAST.AST, input: unknown): boolean => Exit.isSuccess(decoderOf(ast)(input))

const check = (ast: SchemaAST.AST, input: unknown, path: string): Repair => {
  const exit = decoderOf(ast)(input)
  if (Exit.isSuccess(exit)) return Result.succeed(input)
  return Result.fail(`${path === "" ? "value" : path}: ${messageOf(exit.cause).replace(/\s+/g, " ")}`)
}

const repair = (ast: SchemaAST.AST, input: unknown, path: string, dropped: Array<Dropped>): Repair => {
  if (passes(ast, input)) return Result.succeed(input)
  if (ast._tag === "Union") return repairUnion(ast, input, path, dropped)
  if (ast._tag === "Objects" && Predicate.isObject(input)) return repairObject(ast, input, path, dropped)
  if (ast._tag === "Arrays" && Array.isArray(input)) return repairArray(ast, input, path, dropped)
  return check(ast, input, path)
}

const repairObject = (
  ast: SchemaAST.Objects,
  input: { readonly [key: PropertyKey]: unknown },
  path: string,
  dropped: Array<Dropped>
): Repair => {
  const output: { [key: PropertyKey]: unknown } = { ...input }
  for (const { name, type } of ast.propertySignatures) {
    if (!Object.hasOwn(input, name)) continue
    const at = path === "" ? String(name) : `${path}.${String(name)}`
    const value = input[name]
    const field = repair(type, value, at, dropped)
    if (Result.isSuccess(field)) {
      output[name] = field.success
      continue
    }
    const standIn = onMalformed(type)
    if (standIn === undefined || (nullOnly(standIn) && value !== null)) return Result.fail(field.failure)
    if (!nullOnly(standIn)) dropped.push({ path: at, reason: field.failure, value })
    if (standIn === "absent" || standIn === "nullIsAbsent") delete output[name]
    else output[name] = []
  }
  return check(ast, output, path)
}

const onMalformed = (field: SchemaAST.AST): OnMalformed | undefined => field.context?.annotations?.["acp/onMalformed"]

const nullOnly = (standIn: OnMalformed): boolean => standIn === "nullIsAbsent" || standIn === "nullIsEmpty"

const repairArray = (
  ast: SchemaAST.Arrays,
  input: ReadonlyArray<unknown>,
  path: string,
  dropped: Array<Dropped>
): Repair => {
  const item = ast.rest[0]
  if (item === undefined) return check(ast, input, path)
  const skip = ast.annotations?.["acp/skipInvalid"] === true
  const output: Array<unknown> = []
  for (const [index, value] of input.entries()) {
    const at = `${path}[${index}]`
    const repaired = repair(item, value, at, dropped)
    if (Result.isSuccess(repaired)) output.push(repaired.success)
    else if (skip) dropped.push({ path: at, reason: repaired.failure, value })
    else return Result.fail(repaired.failure)
  }
  return check(ast, output, path)
}

/** The first member that can be repaired; its losses count, those of the members before it do not. */
const repairUnion = (ast: SchemaAST.Union, input: unknown, path: string, dropped: Array<Dropped>): Repair => {
  const candidates = ast.types.filter((member) => tagsAgree(member, input))
  let reason: string | undefined
  for (const member of candidates) {
    const losses: Array<Dropped> = []
    const repaired = repair(member, input, path, losses)
    if (Result.isSuccess(repaired)) {
      // One by one: there may be more than a call takes arguments.
      for (const loss of losses) dropped.push(loss)
      return repaired
    }
    if (candidates.length === 1) reason = repaired.failure
  }
  return reason === undefined ? check(ast, input, path) : Result.fail(reason)
}

/** Whether the literal fields of a member are what the input says: otherwise it is another member's value. */
const tagsAgree = (member: SchemaAST.AST, input: unknown): boolean => {
  if (member._tag === "Null") return input === null
  if (member._tag !== "Objects") return true
  if (!Predicate.isObject(input)) return false
  return member.propertySignatures.every(({ name, type }) => type._tag !== "Literal" || input[name] === type.literal)
}
