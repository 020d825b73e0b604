/** The language servers that the settings of the moment turn on. */
import type { Settings } from "@signalbox/contracts/Settings"
import * as KnownServers from "@signalbox/ide/servers/KnownServers"
import type { ServerDefinition } from "@signalbox/lsp/ServerDefinition"
import type { LanguageServers } from "@signalbox/lsp/servers/LanguageServers"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

/** An entry of the settings that can't be used. `why`: one or two sentences, with the next step. */
interface UnusableEntry {
  readonly id: string
  readonly languages: ReadonlyArray<string>
  readonly why: string
}

/** What the settings turn on. */
export interface TurnedOn {
  readonly definitions: ReadonlyArray<ServerDefinition>
  readonly unusable: ReadonlyArray<UnusableEntry>
}

export interface LanguagePool extends TurnedOn {
  /** Names it for one run of the server. */
  readonly id: string
  readonly servers: LanguageServers
}

const onesOn = (entries: Settings["languageServers"]) =>
  Object.entries(entries).flatMap(([id, { off, ...entry }]) => (off === true ? [] : [[id, entry] as const]))

/** Reads the entries. `path`: the variable `PATH`. */
export const turnedOn = (
  { languageServers }: Pick<Settings, "languageServers">,
  path = process.env["PATH"] ?? ""
): Effect.Effect<TurnedOn> =>
  Effect.map(
    Effect.forEach(onesOn(languageServers), ([id, entry]) =>
      Effect.map(KnownServers.ofEntry(id, entry, path), (result) => ({
        id,
        languages: entry.languages ?? KnownServers.languagesOf(id) ?? [],
        result
      }))
    ),
    (all) => ({
      definitions: all.flatMap(({ result }) => (Result.isSuccess(result) ? [result.success] : [])),
      unusable: all.flatMap(({ id, languages, result }) =>
        Result.isFailure(result) ? [{ id, languages, why: result.failure }] : []
      )
    })
  )
