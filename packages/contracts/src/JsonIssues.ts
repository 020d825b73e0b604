/** What is wrong in a file that people write by hand: the path of each fault, and words that quote no value. */
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"

/** The names and positions that lead from a whole JSON value to one of its values. */
export type JsonPath = ReadonlyArray<string | number>

export interface Issue {
  readonly path: JsonPath
  readonly message: string
}

const formatter = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    if (issue._tag === "UnexpectedKey") return "This is not known here"
    return issue._tag === "MissingKey" ? "This is missing" : SchemaIssue.defaultLeafHook(issue)
  }
})

/**
 * Decodes a value, and reports unknown names. A misspelt name would lose its setting, such as a limit on what an agent
 * may do.
 */
export const decode = <A>(schema: Schema.ConstraintDecoder<A>, value: unknown) =>
  Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })(value)

export const issuesOf = ({ issue }: Schema.SchemaError): ReadonlyArray<Issue> =>
  formatter(issue).issues.map(({ message, path = [] }) => ({
    message,
    path: path.map((step) => {
      const key = typeof step === "object" ? step.key : step
      return typeof key === "number" ? key : String(key)
    })
  }))

/** A path in the notation of a program: `agents.mine.args[0]`. */
export const pathText = (path: JsonPath): string =>
  path.reduce<string>((before, step) => {
    if (typeof step === "number") return `${before}[${step}]`
    if (!/^[A-Za-z_][\w-]*$/.test(step)) return `${before}[${JSON.stringify(step)}]`
    return before === "" ? step : `${before}.${step}`
  }, "")
