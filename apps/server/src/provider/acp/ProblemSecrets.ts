/** Agents quote what they were given in their errors: problems without the secrets that we have handed over. */
import { Problem } from "@signalbox/contracts/Problem"
import * as Schema from "effect/Schema"
import * as Redaction from "../../tape/Redaction.ts"

const json = Schema.fromJsonString(Problem)
const encode = Schema.encodeSync(json)
const decode = Schema.decodeSync(json)

export const without = (secrets: ReadonlyArray<string>, problem: Problem): Problem =>
  secrets.length === 0 ? problem : decode(Redaction.without(secrets, encode(problem)))
