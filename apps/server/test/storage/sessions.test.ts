import { ResumeToken, ThreadId } from "@signalbox/contracts/Ids"
import { ProviderId } from "@signalbox/contracts/Provider"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as ProviderSessionStore from "../../src/storage/ProviderSessionStore.ts"
import * as Sqlite from "../../src/storage/Sqlite.ts"
import * as SessionDirectory from "../../src/provider/Layers/ProviderSessionDirectory.ts"
import { ProviderSessionDirectory } from "../../src/provider/Services/ProviderSessionDirectory.ts"

const threadId = ThreadId.make("thread")

const folder = Effect.flatMap(FileSystem.FileSystem, (files) =>
  files.makeTempDirectoryScoped({ prefix: "persistence-" })
).pipe(Effect.provide(NodeFileSystem.layer))

describe("the session directory", () => {
  const entry = {
    threadId,
    providerId: ProviderId.make("fake"),
    providerKind: "acp" as const,
    resumeToken: ResumeToken.make("first"),
    cwd: "/project"
  }
  const kept = (file: string) =>
    SessionDirectory.layer.pipe(Layer.provide(ProviderSessionStore.layer), Layer.provide(Sqlite.layer(file)))

  it.effect("remembers the last session of a thread across restarts", () =>
    Effect.gen(function* () {
      const file = `${yield* folder}/signalbox.sqlite`
      yield* Effect.gen(function* () {
        const directory = yield* ProviderSessionDirectory
        yield* directory.put(entry)
        yield* directory.put({ ...entry, resumeToken: ResumeToken.make("second") })
      }).pipe(Effect.provide(kept(file), { local: true }))
      yield* Effect.gen(function* () {
        const directory = yield* ProviderSessionDirectory
        const found = yield* directory.get(threadId)
        assert.deepStrictEqual(found, Option.some({ ...entry, resumeToken: ResumeToken.make("second") }))
        yield* directory.remove(threadId)
        assert.isTrue(Option.isNone(yield* directory.get(threadId)))
      }).pipe(Effect.provide(kept(file), { local: true }))
    })
  )

  const holders = Effect.gen(function* () {
    const directory = yield* ProviderSessionDirectory
    const other = { ...entry, threadId: ThreadId.make("other"), resumeToken: ResumeToken.make("theirs") }
    yield* Effect.forEach([entry, other, { ...other, threadId, providerId: ProviderId.make("else") }], directory.put)
    assert.deepStrictEqual(
      yield* directory.threadsOf(entry.providerId),
      new Map([[ResumeToken.make("theirs"), ThreadId.make("other")]])
    )
  })

  it.effect("says which threads go on with the sessions of an agent, by what they hold now", () =>
    Effect.gen(function* () {
      yield* Effect.provide(holders, kept(`${yield* folder}/signalbox.sqlite`), { local: true })
      yield* Effect.provide(holders, SessionDirectory.layerMemory, { local: true })
    })
  )

  it.effect("without a database remembers as long as it lives", () =>
    Effect.gen(function* () {
      const directory = yield* ProviderSessionDirectory
      assert.isTrue(Option.isNone(yield* directory.get(threadId)))
      yield* directory.put(entry)
      assert.deepStrictEqual(yield* directory.get(threadId), Option.some(entry))
      yield* directory.remove(threadId)
      assert.isTrue(Option.isNone(yield* directory.get(threadId)))
    }).pipe(Effect.provide(SessionDirectory.layerMemory))
  )
})
