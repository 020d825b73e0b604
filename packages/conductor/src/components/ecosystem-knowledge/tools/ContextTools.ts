/** The tool that reads files of context of dependencies. It changes nothing. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import type { PackageKnowledge } from "../knowledge/Knowledge.ts"
import { described, readOnly } from "./Annotations.ts"
import * as Named from "./Named.ts"
import * as Reading from "./Reading.ts"

const ReadContext = Tool.make("read_context", {
  description: "Reads a file that a dependency has for agents, as list_skills names it under context.",
  parameters: Schema.Struct({ package: Named.packageName, file: described("The file, relative to the package") }),
  success: Schema.Struct({ origin: Reading.origin, text: Schema.String }),
  failure: Schema.String
}).annotateMerge(readOnly)

export const toolkit = Toolkit.make(ReadContext)

/** What the tool does in one session. `knowledge` completes when the dependencies have been read. */
export const layer = (knowledge: Effect.Effect<ReadonlyArray<PackageKnowledge>>) =>
  toolkit.toLayer({
    read_context: ({ file, package: name }) =>
      Effect.gen(function* () {
        const found = yield* Named.packageOf(yield* knowledge, name)
        const { name: path } = yield* Named.oneOf(
          found.context.map((one) => ({ name: one })),
          "file of context",
          file
        )
        return yield* Reading.file(found, found.folder, path)
      }).pipe(Named.inWords)
  })
