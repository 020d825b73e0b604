/** The models that an agent lists without a session. */
import * as Schema from "effect/Schema"

const AgentModel = Schema.Struct({
  value: Schema.String,
  /** The name for people. */
  name: Schema.String
})
export type AgentModel = typeof AgentModel.Type

export const AgentModels = Schema.Struct({
  /** The setting of a session that these values are for. */
  settingId: Schema.String,
  models: Schema.Array(AgentModel)
})
export type AgentModels = typeof AgentModels.Type
