/** The latest choice of people for an agent in a folder. New threads there begin with it. */
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

/** A filter of remembered settings. All given members must match. */
export const RememberedFilter = Schema.Struct({
  providerId: Schema.optionalKey(ProviderId),
  cwd: Schema.optionalKey(Schema.String),
  settingId: Schema.optionalKey(Schema.String)
})
export type RememberedFilter = typeof RememberedFilter.Type
