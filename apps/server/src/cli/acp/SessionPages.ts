/** The threads of the server as a list of sessions, page by page, latest first. */
import type * as Acp from "@signalbox/acp/AcpSchema"
import { RpcError } from "@signalbox/acp/JsonRpc"
import type { ProviderId } from "@signalbox/contracts/Provider"
import type { ThreadSummary } from "@signalbox/contracts/ThreadView"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as RealFolder from "./RealFolder.ts"
import type { ServerLink } from "./ServerLink.ts"

export interface Filter {
  readonly cwd: string | undefined
  readonly cursor: string | undefined
  readonly provider: ProviderId | undefined
}

const pageSize = 100

/** The last row of the page before. */
const Cursor = Schema.fromJsonString(Schema.Tuple([Schema.Finite, Schema.String]))
const readCursor = Schema.decodeUnknownOption(Cursor)

export const read = Effect.fn("SessionPages.read")(function* (
  link: Pick<ServerLink, "call">,
  { cursor, cwd, provider }: Filter
): Effect.fn.Return<Acp.ListSessionsResponse, RpcError> {
  const after = cursor === undefined ? undefined : Option.getOrUndefined(readCursor(textOf(cursor)))
  if (cursor !== undefined && after === undefined)
    return yield* RpcError.invalidParams("The cursor is not one of this list")
  const frame = yield* link
    .call((client) => Stream.runHead(client.watchThreads()))
    .pipe(Effect.catchTag("OutOfScope", ({ message }) => Effect.fail(RpcError.internal(message))))
  const folder = cwd === undefined ? undefined : RealFolder.of(cwd)
  const rows = Option.match(frame, { onNone: () => [], onSome: ({ threads }) => [...threads] })
    .filter((row) => row.unreadable === undefined)
    .filter((row) => folder === undefined || RealFolder.of(row.cwd) === folder)
    .filter((row) => provider === undefined || row.provider.id === provider)
    .sort(latestFirst)
  const rest = after === undefined ? rows : rows.filter((row) => isBehind(row, after))
  const page = rest.slice(0, pageSize)
  const last = page.at(-1)
  return {
    sessions: page.map(({ cwd, threadId, title, updatedAt }) => ({
      sessionId: threadId,
      cwd,
      title,
      updatedAt: new Date(updatedAt).toISOString()
    })),
    ...(rest.length > page.length && last !== undefined && { nextCursor: cursorOf(last) })
  }
})

const latestFirst = (one: ThreadSummary, other: ThreadSummary): number =>
  other.updatedAt - one.updatedAt || (one.threadId < other.threadId ? -1 : 1)

const isBehind = ({ threadId, updatedAt }: ThreadSummary, [at, id]: readonly [number, string]): boolean =>
  updatedAt < at || (updatedAt === at && threadId > id)

const cursorOf = ({ threadId, updatedAt }: ThreadSummary): string =>
  Buffer.from(JSON.stringify([updatedAt, threadId])).toString("base64url")

const textOf = (cursor: string): string => Buffer.from(cursor, "base64url").toString("utf8")
