/** Files that an agent has us read and write (ACP v1, file-system), as far as its settings let it. */
import type { Handlers } from "@signalbox/acp/AcpClient"
import { ErrorCode, RpcError } from "@signalbox/acp/JsonRpc"
import * as Effect from "effect/Effect"
import type { PathRefused } from "../../../workspace/Containment.ts"
import type { Grant } from "../../../workspace/ProtectedPaths.ts"
import * as TextFiles from "../../../workspace/TextFiles.ts"
import type { Emission } from "../projection/Emission.ts"
import * as FileProjection from "../projection/FileProjection.ts"
import type * as RefusedAccess from "./RefusedAccess.ts"

export interface FileOptions {
  readonly access: "off" | "read" | "write"
  readonly grant: Grant
  /** A file that is not there is read as an empty text; as an error unless given. */
  readonly missingFile?: "empty" | undefined
  readonly emission: Emission
  readonly refused: RefusedAccess.Tell
}

/** A handler that is absent is not offered to the agent. */
export const make = ({
  access,
  emission,
  grant,
  missingFile,
  refused
}: FileOptions): Pick<Handlers, "readTextFile" | "writeTextFile"> => {
  if (access === "off") return {}
  return {
    readTextFile: ({ limit, line, path }) =>
      TextFiles.read(grant, path, { line: line ?? undefined, limit: limit ?? undefined }).pipe(
        Effect.catchIf(
          ({ reason }) => reason === "missing" && missingFile === "empty",
          () => Effect.succeed("")
        ),
        Effect.map((content) => ({ content })),
        Effect.tapError((error) => Effect.sync(() => refused("read a file", error))),
        Effect.mapError(rpcErrorOf)
      ),
    ...(access === "write" && {
      // What is written is told, also if the agent takes its request back meanwhile.
      writeTextFile: ({ content, path }) =>
        TextFiles.write(grant, path, content).pipe(
          Effect.map((written) => {
            emission.emit((projection) => FileProjection.written(projection, written))
            return {}
          }),
          Effect.tapError((error) => Effect.sync(() => refused("write a file", error))),
          Effect.mapError(rpcErrorOf),
          Effect.uninterruptible
        )
    })
  }
}

/** A refusal as agents are told. */
export const rpcErrorOf = ({ message, path, reason }: PathRefused): RpcError =>
  new RpcError({ code: codes[reason], message, data: { path, reason } })

const codes = {
  relative: ErrorCode.InvalidParams,
  outside: ErrorCode.InvalidParams,
  protected: ErrorCode.InvalidParams,
  "hard-link": ErrorCode.InvalidParams,
  kind: ErrorCode.InvalidParams,
  content: ErrorCode.InvalidParams,
  missing: ErrorCode.ResourceNotFound,
  system: ErrorCode.InternalError
} as const
