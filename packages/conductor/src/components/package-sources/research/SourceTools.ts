/** The tools of a session that researches. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Ecosystems from "../../../ecosystems/ecosystem/Ecosystems.ts"
import type { Ecosystem, PackageSource } from "../../../ecosystems/ecosystem/Ecosystem.ts"
import { readOnly } from "./Annotations.ts"
import type { Checkouts } from "./Checkouts.ts"

const described = (description: string) => Schema.String.annotate({ description })

const GetCrate = Tool.make("get_rust_crate_source", {
  description: "Fetches the source of a Rust crate, and names the folder that holds it.",
  parameters: Schema.Struct({
    crate_name: described("The name of the crate"),
    version: Schema.optional(
      described("Which versions will do, as in Cargo.toml. Default: the one that the project uses, or else the latest")
    )
  }),
  success: Schema.Struct({
    crate_name: Schema.String,
    version: Schema.String,
    checkout_path: Schema.String,
    message: Schema.String
  }),
  failure: Schema.String
}).annotateMerge(readOnly)

const GetPackage = Tool.make("get_package_source", {
  description: "Fetches the source of a package of any ecosystem, and names the folder that holds it.",
  parameters: Schema.Struct({
    package: described("The name of the package"),
    version: Schema.optional(
      described("Which versions will do. Default: the one that the project uses, or else the latest")
    ),
    ecosystem: Schema.optional(described("The kind of package, such as cargo or npm. Default: that of the project"))
  }),
  success: Schema.Struct({
    ecosystem: Schema.String,
    package: Schema.String,
    version: Schema.String,
    checkout_path: Schema.String,
    message: Schema.String
  }),
  failure: Schema.String
}).annotateMerge(readOnly)

const Return = Tool.make("return_response_to_user", {
  description: "Hands findings to whoever asked. May be called several times; all findings count.",
  parameters: Schema.Struct({
    response: Schema.Unknown.annotate({ description: "What you have found: text, or any JSON" })
  }),
  success: Schema.Struct({ message: Schema.String })
}).annotateMerge(readOnly)

export const toolkit = Toolkit.make(GetCrate, GetPackage, Return)

/** What the tools of one session stand on. */
export interface Options {
  readonly ecosystems: ReadonlyArray<Ecosystem>
  readonly cwd: string
  readonly checkouts: Checkouts
  /** Takes a finding. */
  readonly found: (response: unknown) => void
}

const worded = ({ notes, path, version }: PackageSource, what: string): string =>
  [`${what} version ${version} extracted to ${path}`, ...notes].join(". ")

/** What the tools do in one session. */
export const layer = ({ checkouts, cwd, ecosystems, found }: Options) => {
  const find = (ecosystem: string | undefined, name: string, range: string | undefined) =>
    Ecosystems.find(ecosystems, { ecosystem, name, range, cwd }).pipe(
      Effect.tap(({ source }) => Effect.sync(() => checkouts.add(source.path))),
      Effect.mapError(({ message }) => message)
    )
  return toolkit.toLayer({
    get_rust_crate_source: ({ crate_name, version }) =>
      Effect.map(find("cargo", crate_name, version), ({ source }) => ({
        crate_name: source.name,
        version: source.version,
        checkout_path: source.path,
        message: worded(source, `Crate '${source.name}'`)
      })),
    get_package_source: ({ ecosystem, package: name, version }) =>
      Effect.map(find(ecosystem, name, version), ({ ecosystem: of, source }) => ({
        ecosystem: of,
        package: source.name,
        version: source.version,
        checkout_path: source.path,
        message: worded(source, `Package '${source.name}'`)
      })),
    return_response_to_user: ({ response }) =>
      Effect.sync(() => {
        found(response)
        return { message: "The response has been handed over." }
      })
  })
}
