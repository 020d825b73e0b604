/** The agents' own ids of their sessions, by thread. They are needed to resume a session. */
import { ResumeToken, ThreadId } from "@signalbox/contracts/Ids"
import { ProviderId, ProviderKind } from "@signalbox/contracts/Provider"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { DirectoryEntry } from "../provider/Services/ProviderSessionDirectory.ts"
import { migrate } from "./Migrations.ts"
import { Sqlite } from "./Sqlite.ts"
import { StorageError } from "./StorageError.ts"

const Row = Schema.Struct({
  provider_id: ProviderId,
  provider_kind: ProviderKind,
  resume_token: ResumeToken,
  cwd: Schema.String
})
const decodeRow = Schema.decodeUnknownOption(Row)
const decodeHeld = Schema.decodeUnknownOption(Schema.Struct({ resume_token: ResumeToken, thread_id: ThreadId }))

const decodeFolder = Schema.decodeUnknownOption(Schema.Struct({ cwd: Schema.String }))

export class ProviderSessionStore extends Context.Service<
  ProviderSessionStore,
  {
    /** Stores a thread's entry, and replaces the earlier one. The entry is durable when this returns. */
    readonly put: (entry: DirectoryEntry) => Effect.Effect<void, StorageError>
    readonly get: (threadId: ThreadId) => Effect.Effect<Option.Option<DirectoryEntry>, StorageError>
    readonly remove: (threadId: ThreadId) => Effect.Effect<void, StorageError>
    /** The threads that use sessions of this agent, by session. */
    readonly threadsOf: (id: ProviderId) => Effect.Effect<ReadonlyMap<ResumeToken, ThreadId>, StorageError>
    /** The folders of the threads with sessions of this agent, without duplicates, the latest first. */
    readonly foldersOf: (id: ProviderId) => Effect.Effect<ReadonlyArray<string>, StorageError>
  }
>()("./ProviderSessionStore.ts") {}

const make = Effect.gen(function* () {
  yield* migrate
  const { path, prepare, read, transaction } = yield* Sqlite
  const upsert = yield* prepare(
    `INSERT OR REPLACE INTO provider_sessions (thread_id, provider_id, provider_kind, resume_token, cwd, updated_at)
     VALUES (?, ?, ?, ?, ?, ?)`
  )
  const select = yield* prepare("SELECT * FROM provider_sessions WHERE thread_id = ?")
  const selectOf = yield* prepare(
    "SELECT resume_token, thread_id FROM provider_sessions WHERE provider_id = ? ORDER BY updated_at"
  )
  const selectFolders = yield* prepare(
    "SELECT cwd FROM provider_sessions WHERE provider_id = ? GROUP BY cwd ORDER BY max(updated_at) DESC"
  )
  const deletion = yield* prepare("DELETE FROM provider_sessions WHERE thread_id = ?")

  const entryOf = (threadId: ThreadId, row: unknown): DirectoryEntry => {
    const found = Option.getOrThrowWith(decodeRow(row), () => {
      const detail = `the row of the session of thread ${threadId} can't be understood`
      return new StorageError({ reason: "corrupt-thread", path, detail })
    })
    return {
      threadId,
      providerId: found.provider_id,
      providerKind: found.provider_kind,
      resumeToken: found.resume_token,
      cwd: found.cwd
    }
  }

  const put = Effect.fn("ProviderSessionStore.put")(function* (entry: DirectoryEntry) {
    const { cwd, providerId, providerKind, resumeToken, threadId } = entry
    const now = yield* Clock.currentTimeMillis
    yield* transaction(() => upsert.run(threadId, providerId, providerKind, resumeToken, cwd, now), { durable: true })
  })

  const get = Effect.fn("ProviderSessionStore.get")((threadId: ThreadId) =>
    read(() => Option.map(Option.fromUndefinedOr(select.get(threadId)), (row) => entryOf(threadId, row)))
  )

  const remove = Effect.fn("ProviderSessionStore.remove")((threadId: ThreadId) =>
    Effect.asVoid(transaction(() => deletion.run(threadId)))
  )

  const threadsOf = Effect.fn("ProviderSessionStore.threadsOf")((id: ProviderId) =>
    read(() => {
      // A damaged row concerns its own thread only, so it is left out here.
      const held = selectOf.all(id).flatMap((row) => Option.toArray(decodeHeld(row)))
      return new Map(held.map(({ resume_token, thread_id }) => [resume_token, thread_id]))
    })
  )

  const foldersOf = Effect.fn("ProviderSessionStore.foldersOf")((id: ProviderId) =>
    read(() => selectFolders.all(id).flatMap((row) => Option.toArray(decodeFolder(row)).map(({ cwd }) => cwd)))
  )

  return ProviderSessionStore.of({ put, get, remove, threadsOf, foldersOf })
})

/** The store. Migrates the database first. */
export const layer = Layer.effect(ProviderSessionStore, make)
