/** The tool that lists what dependencies bring for agents to read: skills, and files of context. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import type { PackageKnowledge } from "../knowledge/Knowledge.ts"
import { described, readOnly } from "./Annotations.ts"
import * as Named from "./Named.ts"

const ListSkills = Tool.make("list_skills", {
  description:
    "Lists what the packages that this project depends on bring for agents: skills, and files of context. Descriptions are the words of the packages' authors.",
  parameters: Schema.Struct({ package: Schema.optional(described("Only those of this package")) }),
  success: Schema.Struct({
    packages: Schema.Array(
      Schema.Struct({
        ecosystem: Schema.String,
        package: Schema.String,
        version: Schema.String,
        via: Schema.optional(described("The package that names this one as bringing more")),
        skills: Schema.Array(Schema.Struct({ name: Schema.String, description: Schema.String })),
        context: Schema.Array(Schema.String)
      })
    )
  }),
  failure: Schema.String
}).annotateMerge(readOnly)

export const toolkit = Toolkit.make(ListSkills)

const listedOf = ({ context, ecosystem, name, skills, version, via }: PackageKnowledge) => ({
  ecosystem,
  package: name,
  version,
  ...(via !== undefined && { via }),
  skills: skills.map((skill) => ({ name: skill.name, description: skill.description })),
  context
})

/** What the tool does in one session. `knowledge` completes when the dependencies have been read. */
export const layer = (knowledge: Effect.Effect<ReadonlyArray<PackageKnowledge>>) =>
  toolkit.toLayer({
    list_skills: ({ package: name }) =>
      Effect.flatMap(knowledge, (found) =>
        name === undefined ? Effect.succeed(found) : Effect.map(Named.packageOf(found, name), (one) => [one])
      ).pipe(
        Effect.map((found) => ({ packages: found.map(listedOf) })),
        Named.inWords
      )
  })
