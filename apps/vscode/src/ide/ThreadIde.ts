/** Answers questions about code for the agent of one thread. */
import { ErrorCode, RpcError } from "@signalbox/acp/JsonRpc"
import type { EditorCall } from "@signalbox/contracts/EditorCall"
import * as IdeRequest from "@signalbox/ide/IdeRequest"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import * as ServedFolder from "./ServedFolder.ts"
import * as WindowIde from "./WindowIde.ts"

export interface Options extends Omit<WindowIde.Options, "folder"> {
  readonly cwd: string
  /** The folders of the window. */
  readonly folders: () => ReadonlyArray<string>
}

export type ThreadIde = (method: IdeRequest.Method, call: EditorCall) => Effect.Effect<Schema.Json, RpcError>

export const make = (options: Options): ThreadIde =>
  Effect.fnUntraced(function* (method, call) {
    const asked = yield* IdeRequest.readers[method](call.params)
    const folder = yield* ServedFolder.open({ cwd: options.cwd, given: call.folders ?? [], window: options.folders() })
    const found = yield* asked.answer(yield* WindowIde.make({ ...options, folder }))
    return yield* Effect.try({
      try: (): Schema.Json => JSON.parse(JSON.stringify(found ?? null)),
      catch: () => new RpcError({ code: ErrorCode.InternalError, message: `The answer to ${method} is no JSON.` })
    })
  })
