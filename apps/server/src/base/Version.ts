/** Which Signalbox this is, from its package.json. */
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import { packageFile } from "./Installation.ts"

const Package = Schema.fromJsonString(Schema.Struct({ version: Schema.String }))

export const version: string = Schema.decodeSync(Package)(readFileSync(packageFile, "utf8")).version
