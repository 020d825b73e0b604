/** A setting of a session: mode, model, effort … One model for config options, modes and legacy models. */
import * as Schema from "effect/Schema"

export const SettingChoice = Schema.Struct({
  value: Schema.String,
  name: Schema.String,
  description: Schema.optionalKey(Schema.String)
})
export type SettingChoice = typeof SettingChoice.Type

/** A named group of choices. A flat list is one group without a name. */
export const SettingGroup = Schema.Struct({
  name: Schema.optionalKey(Schema.String),
  choices: Schema.Array(SettingChoice)
})
export type SettingGroup = typeof SettingGroup.Type

const common = {
  id: Schema.String,
  name: Schema.String,
  description: Schema.optionalKey(Schema.String),
  /** `mode`, `model`, `model_config`, `thought_level` or any other: a hint for the layout, never for behaviour. */
  category: Schema.optionalKey(Schema.String)
}

export const SessionSetting = Schema.Union([
  Schema.Struct({
    type: Schema.tag("select"),
    ...common,
    /**
     * The present value, which agents may set to one outside of the choices. Missing if the agent did not report it.
     */
    value: Schema.optionalKey(Schema.String),
    groups: Schema.Array(SettingGroup)
  }),
  Schema.Struct({ type: Schema.tag("boolean"), ...common, value: Schema.Boolean }),
  /** A setting of an unknown type: listed, but not offered. `raw` is compact JSON. */
  Schema.Struct({ type: Schema.tag("unknown"), ...common, raw: Schema.String })
])
export type SessionSetting = typeof SessionSetting.Type

export const SettingValue = Schema.Union([Schema.String, Schema.Boolean])
export type SettingValue = typeof SettingValue.Type
