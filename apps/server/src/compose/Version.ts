/** Which Signalbox this is, from the repository's package.json. */
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"

const Package = Schema.fromJsonString(Schema.Struct({ version: Schema.String }))

export const version: string = Schema.decodeSync(Package)(
  readFileSync(new URL("../../../../package.json", import.meta.url), "utf8")
).version
