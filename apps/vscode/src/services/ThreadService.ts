/** What this window does for the agent of one thread, by the method that it asks for. */
import * as Acp from "@signalbox/acp/AcpSchema"
import { RpcError } from "@signalbox/acp/JsonRpc"
import type { EditorAnswer, EditorCall } from "@signalbox/contracts/EditorCall"
import { messageOf } from "@signalbox/system/SystemError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ThreadIde } from "../ide/ThreadIde.ts"
import type { Log } from "../log/Log.ts"
import type { Documents } from "./Documents.ts"
import type { Terminals } from "./Terminals.ts"

export interface ThreadService {
  readonly carryOut: (call: EditorCall) => Effect.Effect<EditorAnswer>
  /** Undoes what was done for an answer that nobody has heard. */
  readonly unheard: (call: EditorCall, answer: EditorAnswer) => Effect.Effect<void>
}

const Made = Schema.Struct({ terminalId: Schema.String })
const isMade = Schema.is(Made)

export interface Options {
  readonly documents: Documents
  readonly terminals: Terminals
  readonly ide: ThreadIde
  readonly log: Pick<Log, "error">
}

export const make = ({ documents, ide, log, terminals }: Options): ThreadService => {
  const done = (call: EditorCall): Effect.Effect<Schema.Json, RpcError> => {
    const { method, params } = call
    switch (method) {
      case "fs/read_text_file":
        return Effect.flatMap(decode(Acp.ReadTextFileRequest, params), ({ limit, line, path }) =>
          Effect.map(documents.read(path, { line: line ?? undefined, limit: limit ?? undefined }), (content) => ({
            content
          }))
        )
      case "fs/write_text_file":
        return Effect.flatMap(decode(Acp.WriteTextFileRequest, params), ({ content, path }) =>
          Effect.as(documents.write(path, content), {})
        )
      case "terminal/create":
        return Effect.flatMap(decode(Acp.CreateTerminalRequest, params), (asked) =>
          Effect.map(terminals.create(asked), (terminalId) => ({ terminalId }))
        )
      case "terminal/output":
        return Effect.flatMap(decode(Acp.TerminalOutputRequest, params), ({ terminalId }) =>
          Effect.map(terminals.output(terminalId), ({ exitStatus, output, truncated }) => ({
            output,
            truncated,
            ...(exitStatus !== undefined && { exitStatus: { ...exitStatus } })
          }))
        )
      case "terminal/wait_for_exit":
        return Effect.flatMap(decode(Acp.WaitForTerminalExitRequest, params), ({ terminalId }) =>
          Effect.map(terminals.waitForExit(terminalId), (status) => ({ ...status }))
        )
      case "terminal/kill":
        return Effect.flatMap(decode(Acp.KillTerminalRequest, params), ({ terminalId }) =>
          Effect.as(terminals.kill(terminalId), {})
        )
      case "terminal/release":
        return Effect.flatMap(decode(Acp.ReleaseTerminalRequest, params), ({ terminalId }) =>
          Effect.as(terminals.release(terminalId), {})
        )
      case "_ide/resolve_symbol":
      case "_ide/references":
      case "_ide/lsp":
      case "_ide/diagnostics":
      case "_ide/selection":
        return ide(method, call)
    }
  }
  return {
    carryOut: (call) =>
      done(call).pipe(
        // What other extensions say may have any shape.
        Effect.catchDefect((defect) => {
          log.error("editor", `A call of the agent broke off: ${call.method}`, { cause: causeOf(defect) })
          return Effect.fail(
            RpcError.internal(`VS Code could not answer ${call.method}: ${messageOf(defect)}. Its log has more.`)
          )
        }),
        Effect.match({
          onSuccess: (result): EditorAnswer => ({ type: "result", result }),
          onFailure: ({ code, message }): EditorAnswer => ({ type: "error", code, message })
        })
      ),
    unheard: ({ method }, answer) =>
      method === "terminal/create" && answer.type === "result" && isMade(answer.result)
        ? Effect.ignore(terminals.release(answer.result.terminalId))
        : Effect.void
  }
}

const causeOf = (defect: unknown): string =>
  defect instanceof Error ? (defect.stack ?? defect.message) : messageOf(defect)

const decode = <A>(schema: Schema.Codec<A, unknown>, params: unknown): Effect.Effect<A, RpcError> =>
  Effect.mapError(Schema.decodeUnknownEffect(schema)(params), ({ message }) => RpcError.invalidParams(message))
