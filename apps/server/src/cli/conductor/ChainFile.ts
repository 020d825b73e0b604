/** A chain from the file of `--config`. The format is `ChainConfig` of packages/contracts. */
import type { PlannedComponent } from "@signalbox/conductor/components/PlannedComponent"
import { BuiltInProxy, ChainAgent, ChainConfig, ProxyProgram } from "@signalbox/contracts/ChainConfig"
import { decode, issuesOf, type Issue, type JsonPath, pathText } from "@signalbox/contracts/JsonIssues"
import { messageOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import { createReadStream } from "node:fs"
import { resolve } from "node:path"
import { type JsonPlaces, scan } from "../../settings/JsonPlaces.ts"
import { usage, type UsageError } from "../terminal/Failure.ts"
import * as ChainPlan from "./ChainPlan.ts"

/** Nobody writes a longer file by hand. */
const maxBytes = 1024 * 1024

export interface FileChain extends ChainPlan.ChainPlan {
  /** The names that the file gives. */
  readonly given: ReadonlySet<string>
}

/** Faults that are named at once. */
const mostFaults = 20

/** A fault, with the words that a person reads. */
type Faults = ReadonlyArray<string>

const textOf = async (path: string): Promise<string> => {
  const chunks: Array<Buffer> = []
  // A pipe has no size, and may have no end.
  for await (const chunk of createReadStream(path, { end: maxBytes })) chunks.push(chunk)
  return Buffer.concat(chunks)
    .toString("utf8")
    .replace(/^\uFEFF/, "")
}

const parse = (text: string): Result.Result<{ readonly value: unknown; readonly places: JsonPlaces }, Faults> => {
  if (text.length > maxBytes) return Result.fail(["It is longer than a megabyte."])
  const places = scan(text)
  if (places.fault === undefined) return Result.succeed({ value: JSON.parse(text), places })
  const { column, expected, line } = places.fault
  return Result.fail([`Line ${line}, column ${column}: expected ${expected}.`])
}

const chainOf = (value: unknown, places: JsonPlaces): Result.Result<FileChain, Faults> => {
  const faults: Array<string> = []
  const given = new Set<string>()
  const report = (entry: JsonPath, issues: ReadonlyArray<Issue>): undefined => {
    for (const { message, path } of issues) {
      const full = [...entry, ...path]
      const place = full.length === 0 ? "" : `, ${pathText(full)}`
      faults.push(`Line ${places.at(full).line}${place}: ${message}.`)
    }
  }
  const decoded = <A>(schema: Schema.ConstraintDecoder<A>, entry: JsonPath, value: unknown): A | undefined =>
    Result.getOrElse(decode(schema, value), (error) => report(entry, issuesOf(error)))
  const noted = <One extends { readonly name?: string }>(one: One | undefined): One | undefined => {
    if (one?.name !== undefined) given.add(one.name)
    return one
  }

  /** One entry of `components`. Faults are those of the kind that its members show. */
  const component = (value: unknown, position: number): ReadonlyArray<PlannedComponent> => {
    const entry = ["components", position]
    if (!Predicate.hasProperty(value, "component")) {
      const one = noted(decoded(ProxyProgram, entry, value))
      return one === undefined || one.disabled === true
        ? []
        : [ChainPlan.program([one.command, ...(one.args ?? [])], one)]
    }
    const one = noted(decoded(BuiltInProxy, entry, value))
    if (one === undefined || one.disabled === true) return []
    const made = ChainPlan.builtIn(one.component, one.args ?? [], one.name)
    if (Result.isSuccess(made)) return [made.success]
    const { offered, words } = made.failure
    const full = [...entry, "component"]
    faults.push([`Line ${places.at(full).line}, ${pathText(full)}: ${words}`, ...offered].join("\n  "))
    return []
  }

  if (!Predicate.isObject(value) || Array.isArray(value)) return Result.fail(["It has to be an object, in braces."])
  const { agent, bridge, components } = value
  for (const name of Object.keys(value))
    if (!Object.hasOwn(ChainConfig.fields, name)) report([name], [{ path: [], message: "This is not known here" }])
  if (components !== undefined && !Array.isArray(components))
    report(["components"], [{ path: [], message: "Expected an array, in brackets" }])
  const wantsBridge = bridge === undefined ? undefined : decoded(ChainConfig.fields.bridge, ["bridge"], bridge)
  const proxies = Array.isArray(components) ? components.flatMap(component) : []
  const last = agent === undefined ? undefined : noted(decoded(ChainAgent, ["agent"], agent))
  if (faults.length > 0) return Result.fail(faults)
  return Result.succeed({
    given,
    proxies,
    wantsBridge,
    ...(last && { agent: ChainPlan.program([last.command, ...(last.args ?? [])], last) })
  })
}

/** Reads the chain. Fails with all faults of the file, with their lines and paths. */
export const read = Effect.fn("ChainFile.read")(function* (
  command: string,
  given: string
): Effect.fn.Return<FileChain, UsageError> {
  const path = resolve(given)
  const wrong = (faults: Faults, next: string) =>
    usage(command, `--config: ${path} can't be used.`, [
      ...faults.slice(0, mostFaults).flatMap((fault) => fault.split("\n")),
      ...(faults.length > mostFaults ? [`${faults.length - mostFaults} more`] : []),
      `Next: ${next}`
    ])
  const text = yield* Effect.tryPromise({
    try: () => textOf(path),
    catch: (error) => wrong([messageOf(error)], "Name another file, or see to it that this one can be read.")
  })
  return yield* Effect.fromResult(
    parse(text).pipe(
      Result.flatMap(({ places, value }) => chainOf(value, places)),
      Result.mapError((faults) => wrong(faults, "Correct the file. docs/CONDUCTOR.md says what it may hold."))
    )
  )
})
