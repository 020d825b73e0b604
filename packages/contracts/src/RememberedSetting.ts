/** What people chose last in the threads of an agent in a folder: the next thread there begins with it. */
import * as Schema from "effect/Schema"
import { ProviderId, Timestamp } from "./Ids.ts"
import { SettingValue } from "./SessionSetting.ts"

export const RememberedSetting = Schema.Struct({
  providerId: ProviderId,
  cwd: Schema.String,
  settingId: Schema.String,
  value: SettingValue,
  chosenAt: Timestamp
})
export type RememberedSetting = typeof RememberedSetting.Type

/** Which of them: those that agree with all that is given. */
export const RememberedFilter = Schema.Struct({
  providerId: Schema.optionalKey(ProviderId),
  cwd: Schema.optionalKey(Schema.String),
  settingId: Schema.optionalKey(Schema.String)
})
export type RememberedFilter = typeof RememberedFilter.Type
