/** `cursor/generate_image`: the agent has made and stored an image. */
import type { RpcError } from "@signalbox/acp/JsonRpc"
import * as Wire from "@signalbox/acp/Wire"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ExtensionContext } from "../../../acp/profile/AgentProfile.ts"
import * as Params from "./Params.ts"

export const method = "cursor/generate_image"

interface GenerateImage {
  readonly toolCallId?: string
  readonly description?: string
  readonly filePath: string
}

const GenerateImage: Schema.Codec<GenerateImage, unknown> = Schema.Struct({
  toolCallId: Wire.lenient(Schema.String),
  description: Wire.lenient(Schema.String),
  filePath: Schema.String
})

const read = Params.reader(method, GenerateImage)

export interface Answer {
  readonly outcome: "generated"
  readonly filePath: string
}

export const handle = Effect.fnUntraced(function* (
  params: unknown,
  context: ExtensionContext
): Effect.fn.Return<{ readonly outcome: Answer }, RpcError> {
  const { description, filePath, toolCallId } = yield* read(params, context)
  if (filePath === "") return yield* Params.malformed(method, "filePath is empty", params, context)
  yield* context.fileGenerated({
    id: toolCallId ?? filePath,
    path: filePath,
    ...(description !== undefined && description !== "" && { description })
  })
  return { outcome: { outcome: "generated", filePath } }
})
