/** The tools of a session of the client: questions to researchers, what they have found before, and the plain source. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as McpSchema from "effect/ai/McpSchema"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import type { Ecosystem, SourceFailure } from "../../../ecosystems/ecosystem/Ecosystem.ts"
import * as Ecosystems from "../../../ecosystems/ecosystem/Ecosystems.ts"
import { readOnly } from "../research/Annotations.ts"
import type { Step } from "../research/Findings.ts"
import type { ResearchFailure } from "../research/Researcher.ts"
import type { Research, ResearchHistory } from "../research/ResearchHistory.ts"
import * as Progress from "./Progress.ts"

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

const fresh = Schema.optional(
  Schema.Boolean.annotate({ description: "Asks a researcher even if this question has been answered before" })
)

const Answer = Schema.Struct({
  result: Schema.Unknown.annotate({ description: "What was found: one finding, or a list of several" }),
  version: described("The version that was read"),
  timedOut: Schema.optional(Schema.Boolean.annotate({ description: "Whether the time was over before the end" })),
  cached: Schema.optional(
    Schema.Boolean.annotate({ description: "Whether this is an earlier answer to the same question" })
  ),
  ageSeconds: Schema.optional(Schema.Finite.annotate({ description: "How old an earlier answer is" }))
})

const CrateQuery = Tool.make("rust_crate_query", {
  description: `Asks a researcher who reads the source of a Rust crate. Ask in natural language, as you would ask an expert.\n\n${examples}`,
  parameters: Schema.Struct({
    crate_name: described("The name of the crate"),
    crate_version: crateVersion,
    prompt: described("The question, with what you want to do"),
    fresh
  }),
  success: Answer,
  failure: Schema.String,
  dependencies: [McpSchema.McpRequestContext]
}).annotateMerge(readOnly)

const PackageQuery = Tool.make("package_query", {
  description: `Asks a researcher who reads the source of a package of any ecosystem. Ask in natural language, as you would ask an expert.\n\n${examples}`,
  parameters: Schema.Struct({
    ecosystem: Schema.optional(
      described("The kind of package, such as cargo, npm or go. Default: that of the project, if it uses one only")
    ),
    package: described("The name of the package"),
    version: Schema.optional(
      described(
        "Which versions will do, as its ecosystem writes them. Default: the one that the project uses, or else the latest"
      )
    ),
    prompt: described("The question, with what you want to do"),
    fresh
  }),
  success: Answer,
  failure: Schema.String,
  dependencies: [McpSchema.McpRequestContext]
}).annotateMerge(readOnly)

const CrateSources = Tool.make("crate_sources", {
  description: "Names the folder with the source of a Rust crate, for those who want to read it themselves.",
  parameters: Schema.Struct({ crate_name: described("The name of the crate"), crate_version: crateVersion }),
  success: Schema.Struct({ crate_name: Schema.String, version: Schema.String, path: Schema.String }),
  failure: Schema.String
}).annotateMerge(readOnly)

const listed = {
  id: Schema.String,
  at: described("When it was answered"),
  ecosystem: Schema.String,
  package: Schema.String,
  version: Schema.String,
  prompt: Schema.String,
  timedOut: Schema.Boolean
}

const ListResearch = Tool.make("list_research", {
  description: "Lists the questions about packages that were answered in this project, latest first.",
  parameters: Schema.Struct({
    limit: Schema.optional(Schema.Finite.annotate({ description: "The most questions, up to 100 (default: 20)" }))
  }),
  success: Schema.Struct({ research: Schema.Array(Schema.Struct(listed)) })
}).annotateMerge(readOnly)

const GetResearch = Tool.make("get_research", {
  description: "Gets the findings of an earlier question of this project.",
  parameters: Schema.Struct({ id: described("The id, as list_research names it") }),
  success: Schema.Struct({
    ...listed,
    result: Schema.Unknown,
    session: described("The id of the researcher's session")
  }),
  failure: Schema.String
}).annotateMerge(readOnly)

export const toolkit = Toolkit.make(CrateQuery, PackageQuery, CrateSources, ListResearch, GetResearch)

/** A question about a package. */
export interface PackageQuestion extends Ecosystems.NamedQuery {
  readonly prompt: string
  /** Whether an earlier answer will not do. */
  readonly isFresh: boolean
  readonly heard: (step: Step) => void
}

export interface PackageAnswer {
  readonly version: string
  readonly findings: ReadonlyArray<unknown>
  readonly timedOut: boolean
  /** When it was answered, if that was before this question: in milliseconds since 1970. */
  readonly answeredAt?: number | undefined
}

/** What the tools of one session stand on. */
export interface Asking {
  /** The folder of the session. */
  readonly cwd: string
  readonly ecosystems: ReadonlyArray<Ecosystem>
  readonly history: ResearchHistory
  readonly ask: (question: PackageQuestion) => Effect.Effect<PackageAnswer, SourceFailure | ResearchFailure>
}

const inWords = Effect.mapError(({ message }: SourceFailure | ResearchFailure) => message)

/** One finding as it is, several as a list. */
const resultOf = (findings: ReadonlyArray<unknown>): unknown => (findings.length === 1 ? findings[0] : findings)

const listedOf = ({ at, ecosystem, id, package: name, prompt, timedOut, version }: Research) => ({
  id,
  at: new Date(at).toISOString(),
  ecosystem,
  package: name,
  version,
  prompt,
  timedOut
})

/** What the tools do in one session. */
export const layer = ({ ask, cwd, ecosystems, history }: Asking) =>
  toolkit.toLayer(
    Effect.gen(function* () {
      const progress = yield* Progress.make
      const answer = Effect.fnUntraced(function* (
        question: Omit<PackageQuestion, "cwd" | "heard" | "isFresh">,
        isFresh = false
      ) {
        const heard = yield* progress
        const { answeredAt, findings, timedOut, version } = yield* inWords(ask({ ...question, cwd, isFresh, heard }))
        const now = yield* Clock.currentTimeMillis
        return {
          result: resultOf(findings),
          version,
          ...(timedOut && { timedOut }),
          ...(answeredAt !== undefined && {
            cached: true,
            ageSeconds: Math.max(0, Math.round((now - answeredAt) / 1000))
          })
        }
      })
      return toolkit.of({
        rust_crate_query: ({ crate_name, crate_version, fresh, prompt }) =>
          answer({ ecosystem: "cargo", name: crate_name, range: crate_version, prompt }, fresh),
        package_query: ({ ecosystem, fresh, package: name, prompt, version }) =>
          answer({ ecosystem, name, range: version, prompt }, fresh),
        crate_sources: ({ crate_name, crate_version }) =>
          Ecosystems.find(ecosystems, { ecosystem: "cargo", name: crate_name, range: crate_version, cwd }).pipe(
            Effect.map(({ source }) => ({ crate_name: source.name, version: source.version, path: source.path })),
            inWords
          ),
        list_research: ({ limit = 20 }) =>
          Effect.map(history.list(cwd, Math.min(100, Math.max(1, Math.trunc(limit) || 1))), (found) => ({
            research: found.map(listedOf)
          })),
        get_research: ({ id }) =>
          Effect.flatMap(history.get(cwd, id), (found) =>
            found === undefined
              ? Effect.fail(
                  `There is no research ${id.slice(0, 100)} in this project. list_research names what there is.`
                )
              : Effect.succeed({ ...listedOf(found), result: resultOf(found.findings), session: found.session })
          )
      })
    })
  )
