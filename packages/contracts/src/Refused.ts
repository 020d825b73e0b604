/** The one error for what a server did not do, where callers need no more than why. */
import * as Schema from "effect/Schema"
import { Problem, sentencesOf } from "./Problem.ts"

/** Something was not done: an agent, the disk, the network or the settings were against it. `problem` says why. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", { problem: Problem }) {
  override get message(): string {
    return sentencesOf(this.problem)
  }
}
