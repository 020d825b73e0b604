/** `signalbox nes lsp`: next edit suggestions for any editor that speaks the Language Server Protocol. */
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import { recordingsIn } from "../../base/StateDirectory.ts"
import * as EditingLayer from "../../compose/Editing.ts"
import { Editing } from "../../editing/Editing.ts"
import { type AgentFlags, agentOf } from "../run/AgentChoice.ts"
import * as StateFolder from "../server/StateFolder.ts"
import { onStdio } from "../terminal/OnStdio.ts"
import * as LspServer from "./LspServer.ts"
import { providerOf } from "./SuggestionProvider.ts"
import * as WishedSettings from "./WishedSettings.ts"

export interface LspFlags extends AgentFlags {
  readonly stateDir: Option.Option<string>
  readonly record: boolean
  readonly set: ReadonlyArray<string>
}

/** All processes have ended 5 seconds after the editor has left; the agent may take 2 of them to close its session. */
const stopGrace = { closeInput: "750 millis", terminate: "750 millis" } as const

export const lsp = Effect.fn("Lsp")(function* (flags: LspFlags) {
  const directory = yield* StateFolder.of(flags.stateDir)
  const wishes = yield* WishedSettings.parsed("nes lsp", flags.set)
  const cwd = process.cwd()
  const named = yield* providerOf("nes lsp", flags, directory)
  const { provider, providerOptions } = yield* agentOf("nes lsp", { ...flags, provider: named }, directory, cwd)
  const recordings = { folder: recordingsIn(directory), always: flags.record }
  yield* onStdio((bytes) =>
    Effect.gen(function* () {
      const { desk } = yield* Editing
      return yield* LspServer.run(bytes, { cwd, desk: (place) => desk({ provider, providerOptions, ...place }) })
    })
  ).pipe(
    Effect.provide(
      EditingLayer.layer(directory, { stop: stopGrace, recordings, chosen: () => WishedSettings.of(wishes) })
    )
  )
})
