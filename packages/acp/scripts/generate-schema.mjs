/**
 * Writes `src/internal/generated/v1.ts`, or with the argument `v2` `src/internal/generated/v2.ts`. It reads the JSON schema of that version
 * of ACP (with its unstable part) that the official SDK ships. A further argument is another file to write.
 *
 * Every definition becomes a type and an Effect schema whose decoded and wire forms are the same. The schema's
 * deserialisation hints (`x-deserialize-*`) become annotations which `Lenient` reads.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"

const sdk = new URL(
  "..",
  `file://${createRequire(import.meta.url)
    .resolve("@agentclientprotocol/sdk/schema/v1/schema.unstable.json")
    .replace(/v1\/[^/]*$/, "")}`
)
const { version } = JSON.parse(readFileSync(new URL("package.json", sdk), "utf8"))
const args = process.argv.slice(2)
const protocol = args[0] === "v2" ? "v2" : "v1"
const elsewhere = args.at(protocol === "v2" ? 1 : 0)
const definitions = JSON.parse(readFileSync(new URL(`schema/${protocol}/schema.unstable.json`, sdk), "utf8")).$defs

/** Required in the schema, and left out by agents: what can be chosen is worth showing all the same. */
const { SessionConfigSelect } = definitions
SessionConfigSelect.required = SessionConfigSelect.required.filter((name) => name !== "currentValue")
SessionConfigSelect.properties.currentValue["x-deserialize-default-on-error"] = true

/** JSON-RPC envelopes: `JsonRpc.ts` owns those. */
const envelopes = /^(Agent|Client|Proxy)(Request|Response|Notification)$/

/**
 * Closed in the schema of version 1, and reopened here for what would be lost otherwise: a config option its place in the list,
 * a turn its end, a permission request its chance to be answered.
 */
const reopened = new Set(protocol === "v1" ? ["SessionConfigOption", "StopReason", "PermissionOptionKind"] : [])

const names = Object.keys(definitions).filter((name) => !envelopes.test(name))
const refName = (schema) => schema.$ref?.replace("#/$defs/", "")
const quote = (value) => JSON.stringify(value)
const key = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : quote(name))
const unique = (items) => [...new Set(items)]

/** The `$ref` behind a schema that does nothing but refer. */
const onlyRef = (schema) =>
  refName(schema) ??
  (schema.allOf?.length === 1 && !schema.properties && !schema.anyOf && !schema.oneOf
    ? onlyRef(schema.allOf[0])
    : undefined)

const isObjectLike = (schema) => {
  const ref = onlyRef(schema)
  if (ref !== undefined) return isObjectLike(definitions[ref])
  if (schema.properties !== undefined || (schema.type === "object" && schema.additionalProperties === undefined))
    return true
  const members = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  return members.length > 0 && members.every(isObjectLike)
}

/**
 * An object definition as its alternatives: what `allOf`, `oneOf` and `anyOf` say, multiplied out.
 * `includes` are the definitions whose fields come in as a whole.
 */
const expand = (schema) => {
  const ref = refName(schema)
  if (ref !== undefined) {
    const target = definitions[ref]
    if (!target.anyOf && !target.oneOf && !target.allOf) return [{ includes: [ref], fields: new Map(), rest: false }]
    return expand(target)
  }
  const own = new Map()
  const required = new Set(schema.required ?? [])
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    own.set(name, { schema: field, required: required.has(name) })
  }
  const known =
    schema.not === undefined
      ? []
      : schema.not.anyOf.flatMap((m) => Object.entries(m.properties).map(([n, p]) => [n, p.const]))
  for (const name of unique(known.map(([n]) => n))) {
    own.set(name, { other: known.filter(([n]) => n === name).map(([, value]) => value), required: true })
  }
  const rest = schema.additionalProperties === true || schema.unevaluatedProperties === true
  let alternatives = [{ includes: [], fields: new Map(), rest }]
  const multiply = (members) => {
    alternatives = alternatives.flatMap((left) =>
      members.map((right) => ({
        includes: [...left.includes, ...right.includes],
        fields: new Map([...left.fields, ...right.fields]),
        rest: left.rest || right.rest
      }))
    )
  }
  for (const member of schema.allOf ?? []) multiply(expand(member))
  for (const members of [schema.oneOf, schema.anyOf]) {
    if (members !== undefined) multiply(discriminated(members.flatMap(expand)))
  }
  // What an alternative says about a field is narrower than what all of them share.
  return alternatives.map(({ fields, includes, rest }) => ({ includes, fields: new Map([...own, ...fields]), rest }))
}

/** Gives the untagged member among tagged ones (`AuthMethod`, `McpServer`) the tag as "none of the known ones". */
const discriminated = (alternatives) => {
  const tagOf = (a) => [...a.fields].find(([, f]) => typeof f.schema?.const === "string")
  const tags = alternatives.map(tagOf).filter((t) => t !== undefined)
  if (tags.length === 0) return alternatives
  const name = tags[0][0]
  const values = tags.map(([, f]) => f.schema.const)
  return alternatives.map((a) =>
    a.fields.has(name) || tagOf(a)
      ? a
      : { ...a, fields: new Map([[name, { other: values, required: false }], ...a.fields]) }
  )
}

/** A schema in value position: its type and the expression that builds it. */
const value = (schema) => {
  const ref = onlyRef(schema)
  if (ref !== undefined) return { ts: ref, code: ref }
  if (schema.const !== undefined) return { ts: quote(schema.const), code: `Schema.Literal(${quote(schema.const)})` }
  const members = schema.anyOf ?? schema.oneOf
  if (members !== undefined && isObjectLike(schema)) return union(expand(schema))
  if (members !== undefined) return choice(members)
  if (schema.properties !== undefined) return union(expand(schema))
  if (Array.isArray(schema.type)) {
    const inner = value({ ...schema, type: schema.type.find((type) => type !== "null") })
    return { ts: `${inner.ts} | null`, code: `Schema.NullOr(${inner.code})` }
  }
  switch (schema.type) {
    case "string":
      return { ts: "string", code: schema.minLength === 1 ? "Schema.NonEmptyString" : "Schema.String" }
    case "integer":
      return { ts: "number", code: schema.minimum === 0 ? "Wire.unsigned" : "Wire.integer" }
    case "number":
      return { ts: "number", code: "Schema.Finite" }
    case "boolean":
      return { ts: "boolean", code: "Schema.Boolean" }
    case "null":
      return { ts: "null", code: "Schema.Null" }
    case "array": {
      const item = value(schema.items)
      const code = schema["x-deserialize-skip-invalid-items"]
        ? `Wire.skipInvalid(${item.code})`
        : `Schema.Array(${item.code})`
      return { ts: `ReadonlyArray<${item.ts}>`, code }
    }
    case "object": {
      if (schema.additionalProperties === undefined) return { ts: "{}", code: "Schema.Struct({})" }
      const item =
        schema.additionalProperties === true
          ? { ts: "unknown", code: "Schema.Unknown" }
          : value(schema.additionalProperties)
      return { ts: `{ readonly [key: string]: ${item.ts} }`, code: `Schema.Record(Schema.String, ${item.code})` }
    }
    default:
      return { ts: "unknown", code: "Schema.Unknown" }
  }
}

/** A union of values that are not all objects. */
const choice = (members) => {
  const constants = members.filter((m) => m.const !== undefined)
  if (constants.length === members.length) {
    const literals = constants.map((m) => quote(m.const))
    return { ts: literals.join(" | "), code: `Schema.Literals([${literals.join(", ")}])` }
  }
  const open = members.filter((m) => m.const === undefined)
  // An open set of constants: the type of the constants swallows them.
  if (constants.length > 0 && open.length === 1) return value(open[0])
  const nullable = open.filter((m) => m.type !== "null")
  if (nullable.length === 1) {
    const inner = value(nullable[0])
    return { ts: `${inner.ts} | null`, code: `Schema.NullOr(${inner.code})` }
  }
  const values = open.map(value)
  return {
    ts: unique(values.map((v) => v.ts)).join(" | "),
    code: `Schema.Union([${values.map((v) => v.code).join(", ")}])`
  }
}

const field = (f) => {
  if (f.schema?.additionalProperties === true && f.schema["x-deserialize-default-on-error"])
    return { ts: "Wire.Meta | null", code: "Wire.meta" }
  if (f.other !== undefined) {
    const code = `Wire.otherThan([${f.other.map(quote).join(", ")}])`
    return { ts: "Wire.Other", code: f.required ? code : `Schema.optionalKey(${code})` }
  }
  const inner = value(f.schema)
  if (f.schema["x-deserialize-default-on-error"]) {
    return { ts: inner.ts, code: `Wire.${f.required ? "requiredOrEmpty" : "lenient"}(${inner.code})` }
  }
  if (f.schema["x-deserialize-default-on-null"]) {
    return { ts: inner.ts, code: f.required ? `Wire.nullAsEmpty(${inner.code})` : `Wire.nullAsAbsent(${inner.code})` }
  }
  return { ts: inner.ts, code: f.required ? inner.code : `Schema.optionalKey(${inner.code})` }
}

const fieldsConst = (name) => `${name[0].toLowerCase()}${name.slice(1)}Fields`
const included = new Set()

/** The fields of an alternative beside those that are included as a whole; `_meta` of both is the same thing. */
const members = (alternative) => {
  for (const ref of alternative.includes) included.add(ref)
  const hasMeta = alternative.includes.some((ref) => definitions[ref].properties?._meta !== undefined)
  return [...alternative.fields]
    .filter(([name]) => !(name === "_meta" && hasMeta))
    .map(([name, f]) => {
      const tag = f.other !== undefined || f.schema.const !== undefined || f.constants === true
      return { name, required: f.required, tag, ...field(f) }
    })
}

const struct = (alternative) => {
  const own = members(alternative)
  const tags = own.filter((f) => f.tag)
  const others = own.filter((f) => !f.tag)
  const literal = (fields) => fields.map((f) => `readonly ${key(f.name)}${f.required ? "" : "?"}: ${f.ts}`)
  const codeOf = (fields) => fields.map((f) => `${key(f.name)}: ${f.code}`)
  const rest = alternative.rest ? ["readonly [key: string]: unknown"] : []
  const ts = [...literal(tags), ...literal(others), ...rest]
  const code = [...codeOf(tags), ...alternative.includes.map((ref) => `...${fieldsConst(ref)}`), ...codeOf(others)]
  const body = `Schema.Struct(${block(code, ", ")})`
  return {
    ts: [...(ts.length > 0 ? [block(ts, "; ")] : []), ...alternative.includes].join(" & ") || "{}",
    code: alternative.rest ? `Schema.StructWithRest(${body}, [Schema.Record(Schema.String, Schema.Unknown)])` : body
  }
}

/** Fields between braces: on one line when that is short, else one to a line. */
const block = (fields, separator) => {
  const line = `{ ${fields.join(separator)} }`
  if (line.length <= 100) return line
  return `{\n${fields.map((each) => `  ${each.replaceAll("\n", "\n  ")}`).join(separator === "; " ? "\n" : ",\n")}\n}`
}

const union = (alternatives) => {
  const structs = mergeConstants(alternatives).map(struct)
  if (structs.length === 1) return structs[0]
  const indented = (text) => text.replaceAll("\n", "\n  ")
  return {
    ts: structs.map((s) => `\n  | ${indented(s.ts.includes("&") ? `(${s.ts})` : s.ts)}`).join(""),
    code: `Schema.Union([\n  ${structs.map((s) => indented(s.code)).join(",\n  ")}\n])`
  }
}

/** Alternatives that differ in one constant only are one alternative with several constants. */
const mergeConstants = (alternatives) => {
  const merged = new Map()
  for (const a of alternatives) {
    const constants = [...a.fields].filter(([, f]) => typeof f.schema?.const === "string")
    const last = constants.at(-1)
    const shape =
      last === undefined || a.includes.length > 0
        ? Symbol("alone")
        : quote([a.includes, a.rest, [...a.fields].map(([n, f]) => (n === last[0] ? [n] : [n, f]))])
    const same = merged.get(shape)
    if (same === undefined) merged.set(shape, { ...a, fields: new Map(a.fields) })
    else {
      const before = same.fields.get(last[0])
      const choices = before.schema.anyOf ?? [{ const: before.schema.const }]
      same.fields.set(last[0], {
        ...before,
        constants: true,
        schema: { anyOf: [...choices, { const: last[1].schema.const }] }
      })
    }
  }
  return [...merged.values()]
}

/** A type of method that has left the protocol may say something about itself (`vars`, `link`). That is all that people have of it. */
const withRest = (alternatives) =>
  alternatives.map((a) => ([...a.fields.values()].some((f) => f.other !== undefined) ? { ...a, rest: true } : a))

const reopen = (name, alternatives) => {
  if (name === "AuthMethod") return withRest(alternatives)
  if (!reopened.has(name)) return alternatives
  const tag = definitions[name].discriminator.propertyName
  const shared = Object.entries(definitions[name].properties)
  const required = new Set(definitions[name].required)
  const known = alternatives.map((a) => a.fields.get(tag).schema.const)
  const fields = new Map(shared.map(([n, schema]) => [n, { schema, required: required.has(n) }]))
  return [...alternatives, { includes: [], fields: fields.set(tag, { other: known, required: true }), rest: true }]
}

const reopenChoice = (name, { code, ts }) => {
  if (!reopened.has(name)) return { code, ts }
  const known = definitions[name].oneOf.map((m) => quote(m.const))
  return { ts: `${ts} | Wire.Other`, code: `Schema.Union([${code}, Wire.otherThan([${known.join(", ")}])])` }
}

const sentence = (text) => {
  if (text === undefined) return undefined
  const first = text
    .replace(/\*\*UNSTABLE\*\*/g, "Unstable.")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .split(/\n\s*\n/)
    .map((p) => p.replace(/\s+/g, " ").trim())
  const paragraph =
    first[0] === "Unstable." && first[1]?.startsWith("This capability is not part") ? (first[2] ?? first[0]) : first[0]
  return paragraph.replace(/\*\//g, "*\\/")
}

const emitted = new Map()
const emit = (name) => {
  const schema = definitions[name]
  const plain = schema.properties !== undefined && !schema.anyOf && !schema.oneOf && !schema.allOf
  const objectLike = isObjectLike(schema)
  const { ts, code } =
    objectLike && onlyRef(schema) === undefined
      ? union(reopen(name, expand(schema)))
      : reopenChoice(name, value(schema))
  const method = schema["x-method"] === undefined ? "" : ` (\`${schema["x-method"]}\`)`
  const doc = sentence(schema.description)
  const comment = doc === undefined ? "" : `/** ${doc}${method} */\n`
  const type = plain ? `export interface ${name} ${ts}` : `export type ${name} =${ts.startsWith("\n") ? "" : " "}${ts}`
  emitted.set(name, { comment, type, code, plain })
}
for (const name of names) emit(name)

/** Definitions in an order in which nothing is used before it is there. */
const ordered = []
const visit = (name) => {
  if (ordered.includes(name) || !emitted.has(name)) return
  for (const match of emitted.get(name).code.matchAll(/[A-Za-z_]\w*/g)) {
    const target = names.find((n) => n === match[0] || fieldsConst(n) === match[0])
    if (target !== undefined && target !== name) visit(target)
  }
  ordered.push(name)
}
for (const name of names) visit(name)

const body = ordered.map((name) => {
  const { code, comment, plain, type } = emitted.get(name)
  const schemaOf = (expression) => `export const ${name}: Schema.Codec<${name}, unknown> = ${expression}`
  if (plain && included.has(name)) {
    const fields = code.replace(/^Schema\.Struct\(/, "").replace(/\)$/, "")
    return `${comment}${type}\nconst ${fieldsConst(name)} = ${fields}\n${schemaOf(`Schema.Struct(${fieldsConst(name)})`)}`
  }
  return `${comment}${type}\n${schemaOf(code)}`
})

const table = (side, constant, doc) => {
  const methods = new Map()
  for (const name of names) {
    const schema = definitions[name]
    if (schema["x-side"] !== side) continue
    const entry = methods.get(schema["x-method"]) ?? {}
    const part = name.endsWith("Request") ? "params" : name.endsWith("Response") ? "result" : "notification"
    methods.set(schema["x-method"], { ...entry, [part]: name })
  }
  const requests = [...methods].filter(([, m]) => m.params !== undefined).sort(([a], [b]) => (a < b ? -1 : 1))
  const notifications = [...methods]
    .filter(([, m]) => m.notification !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    `/** Requests that ${doc} answers: parameters and result of each. */`,
    `export const ${constant}Requests = {`,
    requests.map(([m, { params, result }]) => `  ${quote(m)}: { params: ${params}, result: ${result} }`).join(",\n"),
    `}\n`,
    `/** Notifications that ${doc} receives. */`,
    `export const ${constant}Notifications = {`,
    notifications.map(([m, { notification }]) => `  ${quote(m)}: ${notification}`).join(",\n"),
    `}\n`
  ].join("\n")
}

const variants = Map.groupBy(expand(definitions.SessionUpdate), (a) => a.fields.get("sessionUpdate").schema?.const)
variants.delete(undefined)
const updates = [
  "/** The schema of each kind of `session/update`, so that a reader may pick it by `sessionUpdate` and try no other. */",
  'export const sessionUpdates: { readonly [Kind in Exclude<SessionUpdate["sessionUpdate"], Wire.Other>]: Schema.Codec<Extract<SessionUpdate, { readonly sessionUpdate: Kind }>, unknown> } = {',
  [...variants].map(([kind, alternatives]) => `  ${kind}: ${union(alternatives).code}`).join(",\n"),
  "}\n"
].join("\n")

const output = `// Generated by scripts/generate-schema.mjs from @agentclientprotocol/sdk ${version} (schema ${protocol}, unstable). Do not edit.
import * as Schema from "effect/Schema"
import * as Wire from "../schema/Wire.ts"

${body.join("\n\n")}

${updates}
${table("agent", "agent", "an agent")}
${table("client", "client", "a client")}`

writeFileSync(elsewhere ?? fileURLToPath(new URL(`../src/internal/generated/${protocol}.ts`, import.meta.url)), output)
