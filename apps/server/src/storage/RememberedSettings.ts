/**
 * The settings that people chose last for an agent in a folder. They are written in the same transaction as the choice;
 * see `ThreadWriting`.
 */
import { ProviderId, Timestamp } from "@signalbox/contracts/Ids"
import { type RememberedFilter, RememberedSetting } from "@signalbox/contracts/RememberedSetting"
import { SettingValue } from "@signalbox/contracts/SessionSetting"
import type { ThreadEvent } from "@signalbox/contracts/ThreadEvent"
import type { ThreadHead } from "@signalbox/contracts/ThreadView"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { migrate } from "./Migrations.ts"
import { Sqlite } from "./Sqlite.ts"
import type { StorageError } from "./StorageError.ts"

const Row = Schema.Struct({
  provider_id: ProviderId,
  cwd: Schema.String,
  setting_id: Schema.String,
  value: Schema.fromJsonString(SettingValue),
  chosen_at: Timestamp
})
const decodeRow = Schema.decodeUnknownOption(Row)

export class RememberedSettings extends Context.Service<
  RememberedSettings,
  {
    /** The remembered settings, sorted by agent, folder and setting. */
    readonly list: (filter: RememberedFilter) => Effect.Effect<ReadonlyArray<RememberedSetting>, StorageError>
    /** Remembers settings that were chosen outside of threads. */
    readonly remember: (
      providerId: ProviderId,
      cwd: string,
      settings: Readonly<Record<string, SettingValue>>
    ) => Effect.Effect<void, StorageError>
    /** Forgets the matching settings, and returns their number. */
    readonly forget: (filter: RememberedFilter) => Effect.Effect<number, StorageError>
  }
>()("./RememberedSettings.ts") {}

const matching = `(?1 IS NULL OR provider_id = ?1) AND (?2 IS NULL OR cwd = ?2) AND (?3 IS NULL OR setting_id = ?3)`

const bound = ({ cwd, providerId, settingId }: RememberedFilter) =>
  [providerId ?? null, cwd ?? null, settingId ?? null] as const

const insertion = Effect.flatMap(Sqlite, ({ prepare }) =>
  prepare(
    "INSERT OR REPLACE INTO remembered_settings (provider_id, cwd, setting_id, value, chosen_at) VALUES (?, ?, ?, ?, ?)"
  )
)

const make = Effect.gen(function* () {
  yield* migrate
  const { prepare, read, transaction } = yield* Sqlite
  const select = yield* prepare(
    `SELECT * FROM remembered_settings WHERE ${matching} ORDER BY provider_id, cwd, setting_id`
  )
  const deletion = yield* prepare(`DELETE FROM remembered_settings WHERE ${matching}`)
  const put = yield* insertion
  return RememberedSettings.of({
    // A damaged row is no choice and is left out. It can be forgotten, and the next choice repairs it.
    list: (filter) =>
      read(() =>
        select.all(...bound(filter)).flatMap((row) =>
          Option.toArray(
            Option.map(decodeRow(row), ({ chosen_at, cwd, provider_id, setting_id, value }) => ({
              providerId: provider_id,
              cwd,
              settingId: setting_id,
              value,
              chosenAt: chosen_at
            }))
          )
        )
      ),
    remember: (providerId, cwd, settings) =>
      Effect.flatMap(Clock.currentTimeMillis, (at) =>
        transaction(() => {
          for (const [id, value] of Object.entries(settings)) put.run(providerId, cwd, id, JSON.stringify(value), at)
        })
      ),
    forget: (filter) => transaction(() => Number(deletion.run(...bound(filter)).changes))
  })
})

/** The remembered settings. Migrates the database first. */
export const layer = Layer.effect(RememberedSettings, make)

/** Remembers the choices among a thread's events, inside the transaction that writes these events. */
export const makeNote = Effect.gen(function* () {
  const { prepare } = yield* Sqlite
  const put = yield* insertion
  const remove = yield* prepare("DELETE FROM remembered_settings WHERE provider_id = ? AND cwd = ? AND setting_id = ?")
  return ({ cwd, provider }: ThreadHead, event: ThreadEvent): void => {
    if (event.type !== "setting.requested" && event.type !== "setting.failed") return
    // If the agent refused a value, the value that people had before is remembered.
    const value = event.type === "setting.requested" ? event.value : event.desired
    if (value === undefined) remove.run(provider.id, cwd, event.settingId)
    else put.run(provider.id, cwd, event.settingId, JSON.stringify(value), event.at)
  }
})
