import * as Schema from "effect/Schema"

/** The absolute folder of a project. */
export const ProjectPath = Schema.String.check(Schema.isStartingWith("/", { message: "Expected an absolute path" }))
