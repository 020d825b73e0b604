/** `signalbox nes try`: asks an agent once for the next edit of a file, and prints what it suggests. */
import type { Suggestion } from "@signalbox/acp/NesSchema"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Compose from "../../compose/Editing.ts"
import { longestText } from "../../editing/Documents.ts"
import { Editing } from "../../editing/Editing.ts"
import * as LanguageId from "../../editing/LanguageId.ts"
import * as Sendable from "../../editing/Sendable.ts"
import type { SuggestionAnswer } from "../../editing/SuggestionAnswer.ts"
import type { SuggestionDesk } from "../../editing/SuggestionDesk.ts"
import { type AgentFlags, agentOf } from "../run/AgentChoice.ts"
import * as StateFolder from "../server/StateFolder.ts"
import { ExitCode } from "../terminal/ExitCode.ts"
import { failedWith } from "../terminal/Failure.ts"
import { jsonText } from "../terminal/JsonText.ts"
import { unlessSignalled } from "../terminal/Signals.ts"
import * as Stdout from "../terminal/Stdout.ts"
import * as TapeFlag from "../tape/TapeFlag.ts"
import * as Terminal from "../terminal/Terminal.ts"
import { providerOf } from "./SuggestionProvider.ts"
import { type Described, describe } from "./SuggestionText.ts"
import * as TryPlace from "./TryPlace.ts"

export interface Flags extends AgentFlags, TryPlace.TryFlags {
  readonly stateDir: Option.Option<string>
  readonly json: boolean
  readonly tape: Option.Option<string>
}

/** What is printed, and from which agent it is. */
interface Tried {
  readonly answer: Extract<SuggestionAnswer, { readonly type: "suggestions" }>
  readonly described: ReadonlyArray<Described>
  readonly agent: { readonly name: string; readonly version?: string }
  /** Milliseconds from the start of the agent to its answer. */
  readonly wholeMs: number
}

export const tryOut = Effect.fn("Try")(function* (flags: Flags) {
  const place = yield* TryPlace.of(flags)
  const directory = yield* StateFolder.of(flags.stateDir)
  const provider = yield* providerOf("nes try", flags, directory)
  const { provider: ref, providerOptions } = yield* agentOf("nes try", { ...flags, provider }, directory, place.root)
  const tape = yield* TapeFlag.pathOf("nes try", flags.tape)
  const tried = yield* Effect.gen(function* () {
    const { desk } = yield* Editing
    return yield* asked(yield* desk({ provider: ref, providerOptions, roots: [place.root] }), place)
  }).pipe(
    Effect.scoped,
    Effect.catchTags({
      ProviderError: ({ problem }) => failedWith(problem, ExitCode.failed),
      DocumentRefused: ({ message }) => Effect.die(message)
    }),
    Effect.provide(Compose.layer(directory, { tape })),
    // An interruption ends the agent's processes before this process exits.
    unlessSignalled
  )
  yield* Stdout.unlessNobodyReads(flags.json ? Stdout.line(jsonText(report(tried))) : shown(tried))
  if (tried.described.length === 0) process.exitCode = ExitCode.nothingSuggested
})

const asked = Effect.fnUntraced(function* (desk: SuggestionDesk, place: TryPlace.TryPlace) {
  const uri = Sendable.uriOf(place.path)
  const begun = yield* Clock.currentTimeMillis
  yield* desk.open({ uri, languageId: LanguageId.of(place.path), version: 1, text: place.text })
  yield* desk.focus({ uri, position: place.position, visibleRange: { start: place.position, end: place.position } })
  const answer = yield* desk.suggest({ uri, position: place.position, trigger: "manual" })
  switch (answer.type) {
    case "withheld":
      return yield* failedWith(
        {
          code: "unsupported",
          title: "The file was not sent, so nothing is suggested.",
          cause: answer.why,
          evidence: { path: place.path },
          nextSteps: []
        },
        ExitCode.failed
      )
    case "overtaken":
    case "resting":
      return yield* Effect.die(`One question was answered by ${answer.type}`)
    case "suggestions": {
      const wholeMs = (yield* Clock.currentTimeMillis) - begun
      const texts = yield* textsOf(answer.suggestions, desk)
      const described = yield* Effect.forEach(answer.suggestions, (suggestion) =>
        describe(suggestion, texts, place.root)
      )
      const { name, version } = desk.agent() ?? { name: "The agent", version: undefined }
      const tried: Tried = { answer, described, agent: { name, ...(version !== undefined && { version }) }, wholeMs }
      return tried
    }
  }
})

/** The texts of the files that suggestions are about: of the open one as it was sent, and of others as they are on the disk. */
const textsOf = Effect.fnUntraced(function* (suggestions: ReadonlyArray<Suggestion>, desk: SuggestionDesk) {
  const texts = new Map<string, string>()
  for (const { uri } of suggestions) {
    const open = desk.get(uri)
    const verdict = yield* desk.sendable.of(uri)
    const text =
      open?.lines.text ?? (verdict.type === "may" ? yield* desk.sendable.read(verdict.path, longestText) : undefined)
    if (text !== undefined) texts.set(uri, text)
  }
  return texts
})

/** The report of `--json`. Positions are those of the protocol: from 0, in UTF-16 units. */
const report = ({ agent, answer, described, wholeMs }: Tried) => ({
  agent,
  suggestions: described.map(({ diff, suggestion, words }) => ({
    ...suggestion,
    words,
    ...(diff !== undefined && { diff })
  })),
  dropped: answer.dropped,
  latencyMs: answer.latencyMs,
  wholeMs
})

const shown = ({ agent, answer, described }: Tried) => {
  for (const { kind, why } of answer.dropped)
    Terminal.err({ style: "warning", text: `A suggestion (${kind}) was left out: it ${why}.` })
  if (described.length === 0) Terminal.err(`${agent.name} suggests nothing here.`)
  const texts = described.map(({ diff, suggestion: { kind }, words }, index) => {
    const isAlone = described.length === 1
    const count = isAlone ? "" : `${index + 1} of ${described.length}: `
    // One edit is a diff and nothing else.
    const heading = isAlone && kind === "edit" && diff !== undefined ? "" : `# ${count}${words}\n`
    return heading + (diff ?? "")
  })
  return Stdout.exact(texts.join(""))
}
