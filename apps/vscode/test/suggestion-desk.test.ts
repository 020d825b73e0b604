/** Suggestions for files of a folder, at a real server with the reference agent. Its editor is a text in memory. */
import { assert, describe, it } from "@effect/vitest"
import { PageId } from "@signalbox/contracts/Documents"
import type { Suggestion, SuggestionsFrame } from "@signalbox/contracts/Suggestions"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as ServerLink from "../src/server/ServerLink.ts"
import * as Desk from "../src/suggestions/Desk.ts"
import * as SignalboxServer from "./support/SignalboxServer.ts"

const none = { info: () => {}, warn: () => {} }

/** A file in an editor, in which somebody types at the end. */
const fileOf = (path: string, first: string) => {
  let text = first
  let version = 1
  const position = () => {
    const lines = text.split("\n")
    return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 }
  }
  return {
    path,
    type: (added: string) => {
      const at = position()
      text += added
      version += 1
      return [{ range: { start: at, end: at }, text: added }]
    },
    shown: (): Desk.ShownDocument => ({
      path,
      version,
      lineEnd: "\n",
      text: () => text,
      position: position(),
      visible: [{ start: { line: 0, character: 0 }, end: position() }],
      isPlain: true
    })
  }
}

const setUp = Effect.fnUntraced(function* (
  first: string,
  name = "steps.txt",
  before: (folder: string) => void = () => {}
) {
  const server = yield* SignalboxServer.make
  const settings = { suggestions: { provider: "signalbox-nes", debounce: 0 } }
  writeFileSync(join(server.state, "settings.json"), JSON.stringify(settings), { mode: 0o600 })
  before(server.folder)
  const file = fileOf(join(server.folder, name), first)
  const answers = yield* Queue.unbounded<ReadonlyArray<Suggestion>>()
  const nothings = yield* Queue.unbounded<string>()
  const states = yield* Queue.unbounded<string>()
  const link = ServerLink.make({
    find: Effect.orDie(server.find),
    version: "0.2.0",
    onState: ({ state }) => {
      if (state !== "connected") desk.lost()
    }
  })
  const desk: Desk.Desk = Desk.make({
    folder: server.folder,
    link,
    log: none,
    documents: () => [file.shown()],
    shown: file.shown,
    show: (_, suggestions) => void Queue.offerUnsafe(answers, suggestions),
    clear: () => {},
    nothing: (words) => void Queue.offerUnsafe(nothings, words),
    onState: () => void Queue.offerUnsafe(states, desk.state().source.type)
  })
  yield* Effect.forkScoped(link.run)
  const running = yield* Effect.forkScoped(desk.run)
  const until = (type: string) => Effect.repeat(Queue.take(states), { until: (one) => one === type })
  return {
    server,
    link,
    desk,
    running,
    until,
    file,
    answer: Queue.take(answers),
    nothing: Queue.take(nothings),
    type: (text: string) => desk.changed(file.path, file.type(text), true),
    tape: () => {
      const folder = join(server.state, "tapes")
      return (existsSync(folder) ? readdirSync(folder) : [])
        .map((one) => readFileSync(join(folder, one), "utf8"))
        .join("")
    }
  }
})

const textsOf = (suggestions: ReadonlyArray<Suggestion>) =>
  suggestions.map((one) => (one.kind === "edit" ? one.edits[0]?.newText : one.kind))

describe("a folder of a window with suggestions", { timeout: 60_000 }, () => {
  it.live(
    "asks once people have typed, takes the rest of what they type on, and tells how it ended before the change",
    () =>
      Effect.gen(function* () {
        const { answer, desk, tape, type, until } = yield* setUp("const step1 = 1\nconst step2 = 2")
        yield* until("on")
        // An answer says that the server has the text as it was before anybody typed.
        desk.ask()
        yield* answer
        type("\n")
        const [first] = yield* answer
        assert.deepStrictEqual(textsOf(first === undefined ? [] : [first]), ["const step3 = 3"])
        type("const")
        const [rest] = yield* answer
        assert.strictEqual(rest?.id, first?.id)
        assert.deepStrictEqual(textsOf(rest === undefined ? [] : [rest]), [" step3 = 3"])
        desk.end(rest?.id ?? "", "accepted")
        type(" step3 = 3")
        yield* answer
        assert.include(tape(), '"nes/accept"')
        assert.notInclude(tape(), '"ignored"')
      }).pipe(Effect.scoped)
  )

  it.live("asks nobody about a file that is never sent, and says why", () =>
    Effect.gen(function* () {
      const { desk, nothing, tape, type, until } = yield* setUp("KEY=1", ".env")
      yield* until("on")
      type("\nKEY2=2")
      yield* until("on").pipe(Effect.repeat({ until: () => desk.state().withheld.size > 0 }))
      assert.match([...desk.state().withheld.values()].join(""), /never sent/)
      desk.ask()
      assert.match(yield* nothing, /never sent/)
      assert.notInclude(tape(), "KEY")
    }).pipe(Effect.scoped)
  )

  it.live("answers whoever asks about a file that another editor has, until somebody types here", () =>
    Effect.gen(function* () {
      const { answer, desk, file, link, nothing, server, type, until } = yield* setUp(
        "const step1 = 1\nconst step2 = 2"
      )
      yield* until("on")
      desk.ask()
      yield* answer
      yield* nothing
      const page = PageId.make("other")
      const others = yield* Queue.unbounded<SuggestionsFrame>()
      yield* link
        .followAtOnce(
          (client) => client.watchFolderSuggestions({ page, folder: server.folder }),
          (frames) => void Queue.offerAllUnsafe(others, frames)
        )
        .pipe(Effect.ignore, Effect.forkScoped)
      yield* Effect.repeat(Queue.take(others), { until: ({ type }) => type === "on" })
      const opened = { type: "opened", path: file.path, version: 1, text: "x" } as const
      yield* link.once((client) => client.reportDocuments({ page, reports: [opened] }))
      // The first answer says so; the second question can't be reported.
      desk.ask()
      assert.match(yield* nothing, /open elsewhere/)
      desk.ask()
      const settled = Effect.callback<void>((resume) => void desk.whenSettled(() => resume(Effect.void)))
      yield* settled
      assert.match(yield* nothing, /open elsewhere/)
      type("\n")
      yield* answer
      desk.ask()
      assert.deepStrictEqual(textsOf(yield* answer), ["const step3 = 3"])
    }).pipe(Effect.scoped)
  )

  it.live("calls nobody back who does not wait any more", () =>
    Effect.gen(function* () {
      const { answer, desk, until } = yield* setUp("const step1 = 1\nconst step2 = 2")
      yield* until("on")
      const called: Array<string> = []
      desk.ask()
      desk.whenSettled(() => called.push("gone"))()
      desk.whenSettled(() => called.push("waits"))
      yield* answer
      yield* Effect.callback<void>((resume) => void desk.whenSettled(() => resume(Effect.void)))
      assert.deepStrictEqual(called, ["waits"])
    }).pipe(Effect.scoped)
  )

  it.live("asks for a refused folder again, and says until then why it is refused", () =>
    Effect.gen(function* () {
      const { desk, server, until } = yield* setUp("const step1 = 1", "steps.txt", (folder) => rmdirSync(folder))
      yield* until("off")
      assert.include(JSON.stringify(desk.state().source), `no suggestions in ${server.folder}`)
      mkdirSync(server.folder)
      desk.look()
      yield* until("on")
    }).pipe(Effect.scoped)
  )

  it.live("follows the switch of the page, and another server after the first was killed", () =>
    Effect.gen(function* () {
      const { answer, desk, link, server, type, until } = yield* setUp("const step1 = 1\nconst step2 = 2")
      yield* until("on")
      yield* link.once((client) => client.turnSuggestions({ on: false }))
      yield* until("off")
      assert.deepInclude(desk.state().source, { type: "off", turnedOff: "Signalbox suggestions (reference)" })
      type("\n")
      yield* link.once((client) => client.turnSuggestions({ on: true }))
      yield* until("on")
      // The agent has seen no edit of this text, so it waits for somebody to ask.
      assert.lengthOf(yield* answer, 0)
      desk.ask()
      assert.deepStrictEqual(textsOf(yield* answer), ["const step3 = 3"])
      server.kill()
      yield* until("unknown")
      yield* until("on")
      assert.lengthOf(yield* answer, 0)
      desk.ask()
      assert.deepStrictEqual(textsOf(yield* answer), ["const step3 = 3"])
    }).pipe(Effect.scoped)
  )

  it.live("leaves nothing on its way when it ends", () =>
    Effect.gen(function* () {
      const { answer, desk, running, tape, type, until } = yield* setUp("const step1 = 1\nconst step2 = 2")
      yield* until("on")
      desk.ask()
      yield* answer
      type("\n")
      assert.notInclude(tape(), '"document/didClose"')
      yield* Fiber.interrupt(running)
      desk.look()
      // The connection stays: the end of the desk alone takes its files from the agent.
      const schedule = Schedule.spaced("10 millis")
      yield* Effect.repeat(Effect.sync(tape), { until: (all) => all.includes('"document/didClose"'), schedule })
    }).pipe(Effect.scoped)
  )
})
