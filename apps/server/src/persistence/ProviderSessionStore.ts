/** The agents' own names for their sessions, by thread: what is needed to take one up again. */
import { ResumeToken, type ThreadId } from "@signalbox/contracts/Ids"
import { ProviderId, ProviderKind } from "@signalbox/contracts/Provider"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { DirectoryEntry } from "../provider/Services/ProviderSessionDirectory.ts"
import { migrate } from "./Migrations.ts"
import { Sqlite } from "./Sqlite.ts"
import { type StorageError, storageError } from "./StorageError.ts"

const Row = Schema.Struct({
  provider_id: ProviderId,
  provider_kind: ProviderKind,
  resume_token: ResumeToken,
  cwd: Schema.String
})
const decodeRow = Schema.decodeUnknownEffect(Row)

export class ProviderSessionStore extends Context.Service<
  ProviderSessionStore,
  {
    /** Durable when it returns; replaces the thread's earlier entry. */
    readonly put: (entry: DirectoryEntry) => Effect.Effect<void, StorageError>
    readonly get: (threadId: ThreadId) => Effect.Effect<Option.Option<DirectoryEntry>, StorageError>
    readonly remove: (threadId: ThreadId) => Effect.Effect<void, StorageError>
  }
>()("@signalbox/server/persistence/ProviderSessionStore") {}

const make = Effect.gen(function* () {
  yield* migrate
  const failed = storageError((yield* Sqlite).path)
  const sql = yield* SqlClient.SqlClient

  const put = Effect.fn("ProviderSessionStore.put")(function* (entry: DirectoryEntry) {
    const row = {
      thread_id: entry.threadId,
      provider_id: entry.providerId,
      provider_kind: entry.providerKind,
      resume_token: entry.resumeToken,
      cwd: entry.cwd,
      updated_at: yield* Clock.currentTimeMillis
    }
    yield* sql`INSERT OR REPLACE INTO provider_sessions ${sql.insert(row)}`
  }, Effect.mapError(failed))

  const get = Effect.fn("ProviderSessionStore.get")(function* (threadId: ThreadId) {
    const rows = yield* sql`SELECT * FROM provider_sessions WHERE thread_id = ${threadId}`
    if (rows[0] === undefined) return Option.none()
    const row = yield* decodeRow(rows[0])
    return Option.some({
      threadId,
      providerId: row.provider_id,
      providerKind: row.provider_kind,
      resumeToken: row.resume_token,
      cwd: row.cwd
    })
  }, Effect.mapError(failed))

  const remove = Effect.fn("ProviderSessionStore.remove")(function* (threadId: ThreadId) {
    yield* sql`DELETE FROM provider_sessions WHERE thread_id = ${threadId}`
  }, Effect.mapError(failed))

  return ProviderSessionStore.of({ put, get, remove })
})

/** Brings the database up to date first. */
export const layer = Layer.effect(ProviderSessionStore, make)
