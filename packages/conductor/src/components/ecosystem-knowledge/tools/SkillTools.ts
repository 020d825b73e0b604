/** The tool that reads skills of dependencies. It changes nothing. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import type { PackageKnowledge } from "../knowledge/Knowledge.ts"
import { described, readOnly } from "./Annotations.ts"
import * as Named from "./Named.ts"
import * as Reading from "./Reading.ts"

const ReadSkill = Tool.make("read_skill", {
  description: "Reads a skill of a dependency: its SKILL.md, or another file of its folder.",
  parameters: Schema.Struct({
    package: Named.packageName,
    skill: described("The name of the skill"),
    file: Schema.optional(described("A file in the skill's folder (default: SKILL.md)"))
  }),
  success: Schema.Struct({
    origin: Reading.origin,
    text: Schema.String,
    folder: described("The folder of the skill"),
    files: Schema.Array(Schema.String).annotate({ description: "The other files of the skill" })
  }),
  failure: Schema.String
}).annotateMerge(readOnly)

export const toolkit = Toolkit.make(ReadSkill)

/** What the tool does in one session. `knowledge` completes when the dependencies have been read. */
export const layer = (knowledge: Effect.Effect<ReadonlyArray<PackageKnowledge>>) =>
  toolkit.toLayer({
    read_skill: ({ file = "SKILL.md", package: name, skill }) =>
      Effect.gen(function* () {
        const found = yield* Named.packageOf(yield* knowledge, name)
        const one = yield* Named.oneOf(found.skills, "skill", skill)
        const read = yield* Reading.file(found, one.folder, file)
        return { ...read, folder: one.folder, files: yield* Reading.filesOf(one) }
      }).pipe(Named.inWords)
  })
