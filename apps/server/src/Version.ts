/** Which Signalbox this is, from the repository's package.json. */
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import { inRepository } from "./Repository.ts"

const Package = Schema.fromJsonString(Schema.Struct({ version: Schema.String }))

export const version: string = Schema.decodeSync(Package)(readFileSync(inRepository("package.json"), "utf8")).version
