/** Reads and writes files for an agent, as far as its settings allow it (ACP v1, file-system). */
import type { Handlers } from "@signalbox/acp/AcpClient"
import { ErrorCode, RpcError } from "@signalbox/acp/JsonRpc"
import * as Effect from "effect/Effect"
import { PathRefused } from "../../../workspace/Containment.ts"
import type { Grant } from "../../../workspace/ProtectedPaths.ts"
import * as TextFiles from "../../../workspace/TextFiles.ts"
import type { Emission } from "../projection/Emission.ts"
import * as FileProjection from "../projection/FileProjection.ts"
import type { AccessGuard } from "./AccessGuard.ts"
import type { EditorFiles } from "./EditorFiles.ts"
import type * as RefusedAccess from "./RefusedAccess.ts"

export interface FileOptions {
  readonly access: "off" | "read" | "write"
  readonly grant: Grant
  /** `empty`: a missing file is read as an empty text. By default it is an error. */
  readonly missingFile?: "empty" | undefined
  readonly emission: Emission
  readonly refused: RefusedAccess.Tell
  readonly guard: Pick<AccessGuard, "read" | "write">
  readonly editor: EditorFiles
}

/** Makes the handlers. An operation without a handler is not offered to the agent. */
export const make = ({
  access,
  editor,
  emission,
  grant,
  guard,
  missingFile,
  refused
}: FileOptions): Pick<Handlers, "readTextFile" | "writeTextFile"> => {
  if (access === "off") return {}
  return {
    readTextFile: ({ limit, line, path }) =>
      guard.read(path).pipe(
        Effect.flatMap((real) => {
          const excerpt = { line: line ?? undefined, limit: limit ?? undefined }
          const meant = { ...grant, real }
          return editor.read(meant, path, excerpt, TextFiles.read(meant, path, excerpt))
        }),
        Effect.catchIf(
          ({ reason }) => reason === "missing" && missingFile === "empty",
          () => Effect.succeed("")
        ),
        Effect.map((content) => ({ content })),
        Effect.tapError((error) => Effect.sync(() => refused("read a file", error))),
        Effect.mapError(rpcErrorOf)
      ),
    ...(access === "write" && {
      writeTextFile: ({ content, path }) =>
        guard.write(path, content).pipe(
          // A write is always reported, even if the agent cancels its request in the meantime.
          Effect.flatMap((real) => {
            const meant = { ...grant, real }
            const ours = TextFiles.write(meant, path, content).pipe(
              Effect.map((written) => {
                const version = TextFiles.versionOf(content)
                emission.emit((projection) => FileProjection.written(projection, { ...written, version }))
                return {}
              }),
              Effect.uninterruptible
            )
            return editor.write(meant, path, content, ours)
          }),
          Effect.mapError((error) => {
            if (!(error instanceof PathRefused)) return error
            refused("write a file", error)
            return rpcErrorOf(error)
          })
        )
    })
  }
}

/** The error that the agent gets for a refusal. */
export const rpcErrorOf = ({ message, path, reason }: PathRefused): RpcError =>
  new RpcError({ code: codes[reason], message, data: { path, reason } })

const codes = {
  relative: ErrorCode.InvalidParams,
  outside: ErrorCode.InvalidParams,
  protected: ErrorCode.InvalidParams,
  "hard-link": ErrorCode.InvalidParams,
  kind: ErrorCode.InvalidParams,
  content: ErrorCode.InvalidParams,
  changed: ErrorCode.InvalidParams,
  rule: ErrorCode.InvalidParams,
  missing: ErrorCode.ResourceNotFound,
  system: ErrorCode.InternalError
} as const
