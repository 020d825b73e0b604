/** Looks up what is known of a thread that is to be created: its agent, its folders, and what people chose last for that agent there. */
import type { ThreadCommand } from "@signalbox/contracts/Command"
import type { Problem } from "@signalbox/contracts/Problem"
import type { ProviderRef } from "@signalbox/contracts/Provider"
import type { Facts } from "@signalbox/threads/Decision"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import { ProviderCatalog } from "../provider/Services/ProviderCatalog.ts"
import { RememberedSettings } from "../storage/RememberedSettings.ts"
import type { StorageError } from "../storage/StorageError.ts"

type CreateThread = Extract<ThreadCommand, { readonly type: "thread.create" }>

type CreationFacts = Required<Pick<Facts, "creation" | "remembered">>

export const make = Effect.gen(function* () {
  const catalog = yield* ProviderCatalog
  const remembered = yield* RememberedSettings
  const files = yield* FileSystem.FileSystem
  const { isAbsolute } = yield* Path.Path

  const checkFolder = (cwd: string): Effect.Effect<void, Problem> => {
    if (!isAbsolute(cwd))
      return Effect.fail(unusable(cwd, "A thread needs the whole path of each of its folders, from the root."))
    return files.stat(cwd).pipe(
      Effect.mapError((error) => unusable(cwd, error.message)),
      Effect.flatMap(({ type }) =>
        type === "Directory" ? Effect.void : Effect.fail(unusable(cwd, "This is not a folder."))
      )
    )
  }

  /** The agent that the thread names. It must be there, and so must the folders. */
  const checked = Effect.fnUntraced(function* (command: CreateThread): Effect.fn.Return<ProviderRef, Problem> {
    const { provider } = yield* Effect.mapError(catalog.get(command.provider), ({ problem }) => problem)
    yield* Effect.forEach([command.cwd, ...(command.additionalDirectories ?? [])], checkFolder, { discard: true })
    return provider
  })

  return Effect.fnUntraced(function* (command: CreateThread): Effect.fn.Return<CreationFacts, StorageError> {
    const chosen = yield* remembered.list({ providerId: command.provider, cwd: command.cwd })
    return {
      creation: yield* Effect.result(checked(command)),
      remembered: Object.fromEntries(chosen.map(({ settingId, value }) => [settingId, value]))
    }
  })
})

const unusable = (cwd: string, cause: string): Problem => ({
  code: "cwd-unusable",
  title: `${cwd} can't be used.`,
  cause,
  evidence: { path: cwd },
  nextSteps: [{ action: "choose-folder", label: "Choose another folder" }]
})
