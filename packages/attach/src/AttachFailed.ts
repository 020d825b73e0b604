import { Problem, sentencesOf } from "@signalbox/contracts/Problem"
import * as Schema from "effect/Schema"

/** Why the server of a state folder can't be found, started or spoken with. */
export class AttachFailed extends Schema.TaggedError<AttachFailed>()("AttachFailed", { problem: Problem }) {
  override get message(): string {
    return sentencesOf(this.problem)
  }
}
