/** A page with suggestions, at a real server whose settings name the reference agent. */
import { assert } from "@effect/vitest"
import { PageId } from "@signalbox/contracts/Documents"
import { ThreadId } from "@signalbox/contracts/Ids"
import type { DocumentReport } from "@signalbox/contracts/DocumentReport"
import type { SuggestionAnswer, SuggestionPage, SuggestionsFrame } from "@signalbox/contracts/Suggestions"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import { readFileSync, realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../cli/support/Signalbox.ts"
import { framesOf } from "../support/Frames.ts"
import { served } from "../support/ServedThreads.ts"
import { programOf } from "../../../../scripts/suite/Program.ts"

const agent = programOf(new URL("../../../../packages/stand-in-agents/src/nes/main.ts", import.meta.url))

export const at = (line: number, character: number) => ({ line, character })
export const insert = (line: number, character: number, text: string) => ({
  range: { start: at(line, character), end: at(line, character) },
  text
})

/** The reference agent, as settings name it. */
export const agentOf = (...args: ReadonlyArray<string>) => ({ command: process.execPath, args: [agent, ...args] })

export interface Settings {
  readonly agents?: object
  readonly suggestions?: object
  readonly languageServers?: object
}

/** What settings say by default: one agent, which is asked at once. */
export const settingsOf = (...args: ReadonlyArray<string>): Settings => ({
  agents: { nes: { name: "Nes", ...agentOf(...args) } },
  suggestions: { provider: "nes", debounce: 0 }
})

export const put = (state: string, settings: Settings): void =>
  writeFileSync(join(state, "settings.json"), JSON.stringify(settings))

type Visitor = Effect.Success<ReturnType<typeof served>>
type Client = Visitor["client"]

/** A server with these settings, and a thread. */
export const setUp = Effect.fnUntraced(function* (settings: Settings = settingsOf()) {
  const state = realpathSync(temporaryFolder("state"))
  put(state, settings)
  const visitor = yield* served(state)
  const { cwd, threadId } = yield* visitor.open("t")
  return { ...visitor, state, cwd: realpathSync(cwd), threadId }
})

/** A page that watches until the scope closes. */
export const page = Effect.fnUntraced(function* (client: Client, name = "here", threadId = ThreadId.make("t")) {
  const me = { threadId, page: PageId.make(name) }
  return yield* visit(client, me, client.watchSuggestions(me))
})

/** An editor that has a folder open and no thread. It watches until the scope closes. */
export const editorIn = Effect.fnUntraced(function* (client: Client, folder: string, name = "editor") {
  const me = { page: PageId.make(name) }
  return yield* visit(client, me, client.watchFolderSuggestions({ ...me, folder }))
})

const visit = Effect.fnUntraced(function* <E>(
  client: Client,
  me: SuggestionPage,
  frames: Stream.Stream<SuggestionsFrame, E>
) {
  const { first, next, watching } = yield* framesOf(frames)
  const report = (...reports: ReadonlyArray<DocumentReport>) => client.reportDocuments({ ...me, reports })
  return {
    // The thread's frames come from another stream, and may come before.
    first: yield* first("on", "off"),
    watching,
    next,
    report,
    open: (path: string, text: string, version = 1) => report({ type: "opened", path, version, text }),
    suggest: (
      path: string,
      version: number,
      line: number,
      character: number,
      trigger: "automatic" | "manual" = "manual"
    ) => client.suggestEdits({ ...me, path, version, position: at(line, character), trigger }),
    end: (id: string, end: "accepted" | "ignored" | "rejected") =>
      Effect.map(client.endSuggestion({ ...me, id, end }), ({ wasOpen }) => wasOpen),
    set: (settingId: string, value: string | boolean) => client.setSuggestionSetting({ ...me, settingId, value }),
    places: (id: string) => client.suggestionPlaces({ ...me, id }),
    sent: (id?: string) => client.suggestionSent({ ...me, ...(id !== undefined && { id }) })
  }
})

/** The suggestions of an answer, which must be some. */
export const given = (answer: SuggestionAnswer) =>
  answer.type === "suggestions" ? answer : assert.fail(`It was ${JSON.stringify(answer)}`)

/** Between two looks at what nobody announces. */
export const soon = Schedule.spaced("10 millis")

const readLine = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({
      dir: Schema.String,
      line: Schema.Struct({ method: Schema.optionalKey(Schema.String), params: Schema.optionalKey(Schema.Unknown) })
    })
  )
)

/** What the agent got, by the tape. */
const toldBy = (tape: string) =>
  readFileSync(tape, "utf8")
    .split("\n")
    .slice(0, -1)
    .flatMap((json) => {
      if (!json.includes('"dir":"out"')) return []
      const { line } = readLine(json)
      return line.method === undefined ? [] : [{ method: line.method, params: line.params }]
    })

/** What the agent got, as soon as the tape has that. */
export const toldUntil = (tape: string, isThere: (told: ReturnType<typeof toldBy>) => boolean) =>
  Effect.sync(() => toldBy(tape)).pipe(Effect.repeat({ until: isThere, schedule: soon }))
