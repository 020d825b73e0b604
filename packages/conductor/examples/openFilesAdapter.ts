/** The adapter of a pair: behind it, `_example/open_files` is always there. It answers itself where the client can't. */
import * as AcpProxy from "@signalbox/acp/AcpProxy"
import { RpcError } from "@signalbox/acp/JsonRpc"
import * as MetaCapability from "@signalbox/acp/MetaCapability"
import type { MessageLink } from "@signalbox/acp/MessageLink"
import * as Effect from "effect/Effect"
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { capability, decodeQuestion } from "./openFilesPrimitive.ts"

/** The fallback: the files of a folder that were changed last. */
const lastChanged = async (folder: string) => {
  const entries = await readdir(folder, { withFileTypes: true })
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ name }) => ({ name, at: (await stat(join(folder, name))).mtimeMs }))
  )
  return files
    .toSorted((one, other) => other.at - one.at)
    .slice(0, 5)
    .map(({ name }) => name)
}

export const run = Effect.fnUntraced(function* (link: MessageLink) {
  let isOffered = false
  const { closed } = yield* AcpProxy.make<never>(link, () => ({
    clientRequests: {
      initialize: (params, forward) => {
        isOffered = MetaCapability.has(params.clientCapabilities, capability)
        if (isOffered) return forward()
        return forward({
          ...params,
          clientCapabilities: MetaCapability.add(params.clientCapabilities ?? {}, capability)
        })
      }
    },
    agentRequests: {
      "_example/open_files": (params, forward) =>
        isOffered
          ? forward()
          : decodeQuestion(params).pipe(
              Effect.flatMap(({ cwd }) => Effect.tryPromise(() => lastChanged(cwd))),
              Effect.map((paths) => ({ paths })),
              Effect.mapError(({ message }) => RpcError.invalidParams(message))
            )
    }
  }))
  yield* closed
})
