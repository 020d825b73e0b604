/**
 * The models that Cursor lists without a session, by `cursor/list_available_models` (builds from April 2026). Cursor's
 * command `models` is not used, since it can end a running Cursor.
 */
import type { AcpClient } from "@signalbox/acp/AcpClient"
import type { RequestFailure } from "@signalbox/acp/AcpError"
import { ErrorCode, RpcError } from "@signalbox/acp/JsonRpc"
import * as Lenient from "@signalbox/acp/Lenient"
import * as Wire from "@signalbox/acp/Wire"
import type { AgentModels } from "@signalbox/contracts/AgentModel"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

const method = "cursor/list_available_models"

/** The id of the session's setting for the model. */
const settingId = "model"

/** Most models of a list. Nobody chooses among more by eye. */
const mostModels = 1_000
/** Most characters of an id. */
const longest = 200

const Text = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(longest))
const Model: Schema.Codec<{ readonly value: string; readonly name?: string }, unknown> = Schema.Struct({
  value: Text,
  name: Wire.lenient(Text)
})
const Listed: Schema.Codec<{ readonly models: ReadonlyArray<typeof Model.Type> }, unknown> = Schema.Struct({
  models: Wire.skipInvalid(Model)
})
const read = Lenient.reader(Listed)

/** The models. Undefined if this build lists none, or lists them in an unknown form. */
export const list = (client: Pick<AcpClient, "extRequest">): Effect.Effect<AgentModels | undefined, RequestFailure> =>
  client.extRequest(method, {}).pipe(
    Effect.map((result) => {
      const models = modelsIn(result)
      return models.length === 0 ? undefined : { settingId, models }
    }),
    Effect.catchIf(
      (failure) => failure instanceof RpcError && failure.code === ErrorCode.MethodNotFound,
      () => Effect.succeed(undefined)
    )
  )

/** The models, each value once. */
const modelsIn = (result: unknown): AgentModels["models"] => {
  const reading = read(result)
  if (Result.isFailure(reading)) return []
  const known = new Map<string, string>()
  for (const { name, value } of reading.success.value.models) {
    if (known.size >= mostModels) break
    if (!known.has(value)) known.set(value, name ?? value)
  }
  return Array.from(known, ([value, name]) => ({ value, name }))
}
