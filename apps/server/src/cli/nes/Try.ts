/** `signalbox nes try`: asks an agent once for the next edit of a file, and prints what it suggests. */
import type { Suggestion } from "@signalbox/acp/NesSchema"
import * as LanguageId from "@signalbox/lsp/LanguageId"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Compose from "../../compose/Editing.ts"
import type * as ByteOrderMark from "../../base/ByteOrderMark.ts"
import { longestText } from "../../editing/Documents.ts"
import { Editing } from "../../editing/Editing.ts"
import * as Sendable from "../../editing/Sendable.ts"
import * as PatternSearch from "../../editing/PatternSearch.ts"
import type { SuggestionAnswer } from "../../editing/SuggestionAnswer.ts"
import type { Dropped } from "../../editing/SuggestionCheck.ts"
import type { SuggestionDesk } from "../../editing/SuggestionDesk.ts"
import { type AgentFlags, agentOf } from "../run/AgentChoice.ts"
import * as StateFolder from "../server/StateFolder.ts"
import { ExitCode } from "../terminal/ExitCode.ts"
import { failedWith, usage, type UsageError } from "../terminal/Failure.ts"
import { jsonText } from "../terminal/JsonText.ts"
import { unlessSignalled } from "../terminal/Signals.ts"
import * as Stdout from "../terminal/Stdout.ts"
import * as TapeFlag from "../tape/TapeFlag.ts"
import * as Terminal from "../terminal/Terminal.ts"
import { providerOf } from "./SuggestionProvider.ts"
import { type Described, describe } from "./SuggestionText.ts"
import * as TryPlace from "./TryPlace.ts"
import * as WishedSettings from "./WishedSettings.ts"

export interface Flags extends AgentFlags, TryPlace.TryFlags {
  readonly stateDir: Option.Option<string>
  readonly json: boolean
  readonly tape: Option.Option<string>
  readonly set: ReadonlyArray<string>
}

/** What is printed, and from which agent it is. */
interface Tried {
  readonly answer: Extract<SuggestionAnswer, { readonly type: "suggestions" }>
  readonly described: ReadonlyArray<Described>
  /** The suggestions that are left out. Some would change nothing. */
  readonly dropped: ReadonlyArray<Dropped>
  readonly agent: { readonly name: string; readonly version?: string }
  /** Milliseconds from the start of the agent to its answer. */
  readonly wholeMs: number
}

export const tryOut = Effect.fn("Try")(function* (flags: Flags) {
  const place = yield* TryPlace.of(flags)
  const wishes = yield* WishedSettings.parsed("nes try", flags.set)
  const directory = yield* StateFolder.of(flags.stateDir)
  const provider = yield* providerOf("nes try", flags, directory)
  const { provider: ref, providerOptions } = yield* agentOf("nes try", { ...flags, provider }, directory, place.root)
  const tape = yield* TapeFlag.pathOf("nes try", flags.tape)
  let unknown: UsageError | undefined
  const chosen = () =>
    WishedSettings.of(wishes, (message, offered) => {
      unknown = usage("nes try", message, offered)
    })
  const tried = yield* Effect.gen(function* () {
    const { desk } = yield* Editing
    return yield* asked(yield* desk({ provider: ref, providerOptions, roots: [place.root] }), place)
  }).pipe(
    Effect.scoped,
    Effect.catchTags({
      ProviderError: ({ problem }) => Effect.fail(unknown ?? failedWith(problem, ExitCode.failed)),
      DocumentRefused: ({ message }) => Effect.die(message)
    }),
    Effect.provide(Compose.layer(directory, { tape, chosen })),
    // An interruption ends the agent's processes before this process exits.
    unlessSignalled
  )
  yield* Stdout.unlessNobodyReads(flags.json ? Stdout.line(jsonText(report(tried))) : shown(tried))
  if (tried.described.length === 0) process.exitCode = ExitCode.nothingSuggested
})

const asked = Effect.fnUntraced(function* (desk: SuggestionDesk, place: TryPlace.TryPlace) {
  const uri = Sendable.uriOf(place.path)
  const begun = yield* Clock.currentTimeMillis
  yield* desk.open({ uri, languageId: LanguageId.ofPath(place.path), version: 1, text: place.text })
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
      const texts = yield* textsOf(answer.suggestions, desk, place)
      const matcher = PatternSearch.matcherForAnswer()
      const all = yield* Effect.forEach(answer.suggestions, (suggestion) =>
        describe(suggestion, { texts, root: place.root, matcher })
      )
      const described = all.filter(({ changesNothing }) => !changesNothing)
      const empty = all.filter(({ changesNothing }) => changesNothing).map(({ suggestion }) => emptyOf(suggestion))
      const dropped = [...answer.dropped, ...empty]
      const { name, version } = desk.agent() ?? { name: "The agent", version: undefined }
      const tried: Tried = {
        answer,
        dropped,
        described,
        agent: { name, ...(version !== undefined && { version }) },
        wholeMs
      }
      return tried
    }
  }
})

/** A search that finds nothing, for one. */
const emptyOf = ({ id, kind }: Suggestion): Dropped => ({ kind, id, reason: "empty", why: "changes nothing" })

/** The texts of the files that suggestions are about: of the open one as it was sent, and of others as they are on the disk. */
const textsOf = Effect.fnUntraced(function* (
  suggestions: ReadonlyArray<Suggestion>,
  desk: SuggestionDesk,
  { mark }: TryPlace.TryPlace
) {
  const texts = new Map<string, ByteOrderMark.Parted>()
  for (const { uri } of suggestions) {
    const open = desk.get(uri)
    const verdict = yield* desk.sendable.of(uri)
    const read =
      open === undefined && verdict.type === "may" ? desk.sendable.read(verdict.path, longestText) : Effect.undefined
    const file = open === undefined ? yield* read : { text: open.lines.text, mark }
    if (file !== undefined) texts.set(uri, file)
  }
  return texts
})

/** The report of `--json`. Positions are those of the protocol: from 0, in UTF-16 units. */
const report = ({ agent, answer, described, dropped, wholeMs }: Tried) => ({
  agent,
  suggestions: described.map(({ diff, suggestion, words }) => ({
    ...suggestion,
    words,
    ...(diff !== undefined && { diff })
  })),
  dropped,
  ...(answer.unnamed > 0 && { unnamed: answer.unnamed }),
  latencyMs: answer.latencyMs,
  wholeMs
})

/** Each line once, with how often it would stand there. */
const counted = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return [...counts].flatMap(([line, count]) => (count === 1 ? [line] : [line, `… ${count - 1} more of the same`]))
}

const shown = ({ agent, answer, described, dropped }: Tried) => {
  const leftOut = counted(dropped.map(({ kind, why }) => `A suggestion (${kind}) was left out: it ${why}.`))
  const more = answer.unnamed === 0 ? [] : [`${answer.unnamed} more were left out, which are not listed.`]
  for (const text of [...leftOut, ...more]) Terminal.err({ style: "warning", text })
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
