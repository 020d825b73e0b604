/** The tools of a session of the client: questions to researchers, and the plain source. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import type { Ecosystem, SourceFailure } from "../ecosystem/Ecosystem.ts"
import * as Ecosystems from "../ecosystem/Ecosystems.ts"
import type { ResearchFailure } from "../research/Researcher.ts"
import { readOnly } from "../research/Annotations.ts"

const described = (description: string) => Schema.String.annotate({ description })

const crateVersion = Schema.optional(
  described(
    "Which versions will do, as in Cargo.toml, such as 1.0 or =1.2.3. Default: the one that the project uses, or else the latest"
  )
)

const examples = `Examples of a prompt:
- "How do I deserialize a struct with a field that may be missing or null? Show the attributes and a short example."
- "What are the exact parameters of Client::connect, and which errors can it return?"
- "How does the retry policy choose its delay? Quote the code."
- "Which features must be enabled for TLS, and what do the integration tests set up?"`

const CrateQuery = Tool.make("rust_crate_query", {
  description: `Asks a researcher who reads the source of a Rust crate. Ask in natural language, as you would ask an expert.\n\n${examples}`,
  parameters: Schema.Struct({
    crate_name: described("The name of the crate"),
    crate_version: crateVersion,
    prompt: described("The question, with what you want to do")
  }),
  success: Schema.Struct({
    result: Schema.Unknown.annotate({ description: "What was found: one finding, or a list of several" }),
    version: described("The version that was read"),
    timedOut: Schema.optional(Schema.Boolean.annotate({ description: "Whether the time was over before the end" }))
  }),
  failure: Schema.String
}).annotateMerge(readOnly)

const CrateSources = Tool.make("crate_sources", {
  description: "Names the folder with the source of a Rust crate, for those who want to read it themselves.",
  parameters: Schema.Struct({ crate_name: described("The name of the crate"), crate_version: crateVersion }),
  success: Schema.Struct({ crate_name: Schema.String, version: Schema.String, path: Schema.String }),
  failure: Schema.String
}).annotateMerge(readOnly)

export const toolkit = Toolkit.make(CrateQuery, CrateSources)

/** A question about a package. */
export interface PackageQuestion extends Ecosystems.NamedQuery {
  readonly prompt: string
}

export interface PackageAnswer {
  readonly version: string
  readonly findings: ReadonlyArray<unknown>
  readonly timedOut: boolean
}

/** What the tools of one session stand on. */
export interface Asking {
  /** The folder of the session. */
  readonly cwd: string
  readonly ecosystems: ReadonlyArray<Ecosystem>
  readonly ask: (question: PackageQuestion) => Effect.Effect<PackageAnswer, SourceFailure | ResearchFailure>
}

const inWords = Effect.mapError(({ message }: SourceFailure | ResearchFailure) => message)

/** What the tools do in one session. */
export const layer = ({ ask, cwd, ecosystems }: Asking) =>
  toolkit.toLayer({
    rust_crate_query: ({ crate_name, crate_version, prompt }) =>
      ask({ ecosystem: "cargo", name: crate_name, range: crate_version, cwd, prompt }).pipe(
        Effect.map(({ findings, timedOut, version }) => ({
          result: findings.length === 1 ? findings[0] : findings,
          version,
          ...(timedOut && { timedOut })
        })),
        inWords
      ),
    crate_sources: ({ crate_name, crate_version }) =>
      Ecosystems.find(ecosystems, { ecosystem: "cargo", name: crate_name, range: crate_version, cwd }).pipe(
        Effect.map(({ source }) => ({ crate_name: source.name, version: source.version, path: source.path })),
        inWords
      )
  })
