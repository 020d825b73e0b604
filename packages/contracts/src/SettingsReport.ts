/** The report about the settings file. Pages need nothing else of the settings, so it has a module of its own. */
import * as Schema from "effect/Schema"
import { Problem } from "./Problem.ts"

/** The path of the file, and its problems. An invalid entry has no effect, and the earlier one stays. */
export const SettingsReport = Schema.Struct({ path: Schema.String, problems: Schema.Array(Problem) })
export type SettingsReport = typeof SettingsReport.Type
