/** The general error of a server, for callers that need only the reason. */
import * as Schema from "effect/Schema"
import { Problem, sentencesOf } from "./Problem.ts"

/** The server refused or failed to do something. `problem` has the reason. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", { problem: Problem }) {
  override get message(): string {
    return sentencesOf(this.problem)
  }
}
