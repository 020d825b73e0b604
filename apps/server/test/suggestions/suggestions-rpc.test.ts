/** Suggestions for a page over the wire of a real server, by the reference agent. */
import { assert, describe, it } from "@effect/vitest"
import { PageId } from "@signalbox/contracts/Documents"
import { ProviderId, ThreadId } from "@signalbox/contracts/Ids"
import { rpcScopes } from "@signalbox/contracts/RpcScopes"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { suggestionCountsIn } from "../../src/base/StateDirectory.ts"
import * as TallyFile from "../../src/tally/TallyFile.ts"
import { scriptedCommand } from "../support/ServedThreads.ts"
import { agentOf, at, editorIn, given, insert, page, put, setUp, settingsOf, soon, toldUntil } from "./Page.ts"

const text = "const first = sum(1, 2)\nconsole.log(first)\n  consol\n"

describe("suggestions over the wire", { timeout: 60_000 }, () => {
  it.live("a page opens a file, types, gets its line completed, sees what was sent, and accepts", () =>
    Effect.gen(function* () {
      const { client, cwd, state } = yield* setUp()
      const remote = "https://me:secret-key@git.example.com/team/tool.git"
      execFileSync("git", ["init", "-q"], { cwd })
      execFileSync("git", ["remote", "add", "origin", remote], { cwd })
      const mine = yield* page(client)
      assert.deepInclude(mine.first, { type: "on", agent: { id: "nes", name: "Nes" }, debounceMs: 0 })
      assert.deepStrictEqual(yield* mine.open("src/a.ts", text), { withheld: [], again: [], elsewhere: [] })
      // Unsaved, in a tab that nobody looks at.
      yield* mine.open("b.ts", "export const other = 1\n")
      yield* mine.report(
        { type: "focused", path: "src/a.ts", position: at(2, 8), visible: [] },
        { type: "changed", path: "src/a.ts", version: 2, changes: [insert(2, 8, "e")] }
      )
      const answer = given(yield* mine.suggest("src/a.ts", 2, 2, 9, "automatic"))
      assert.deepInclude(answer, { version: 2, dropped: [], isKnown: false })
      const [edit] = answer.suggestions
      const id = edit?.id ?? ""
      assert.deepInclude(edit, {
        kind: "edit",
        path: "src/a.ts",
        edits: [{ range: { start: at(2, 9), end: at(2, 9) }, newText: ".log(first)" }]
      })
      const places = yield* mine.places(id)
      assert.deepStrictEqual(
        places.files.map(({ isOpen, path, places, version }) => ({
          isOpen,
          path,
          version,
          lines: places.map(({ line }) => line)
        })),
        [{ isOpen: true, path: "src/a.ts", version: 2, lines: ["  console"] }]
      )

      const sent = yield* mine.sent(id)
      assert.deepInclude(JSON.parse(sent.json), { method: "nes/suggest" })
      assert.include(sent.json, "edit")
      assert.deepStrictEqual(
        sent.documents.map(({ bytes, path, version }) => [path, version, bytes]),
        [
          ["src/a.ts", 2, text.length + 1],
          ["b.ts", 1, 23]
        ]
      )
      assert.deepStrictEqual(yield* mine.sent(), sent)

      assert.isTrue(yield* mine.end(id, "accepted"))
      assert.isFalse(yield* mine.end(id, "accepted"))
      yield* mine.next("state", ({ state }) => state.type === "starting")
      yield* mine.next("state", ({ state }) => state.type === "asking")
      yield* mine.next("state", ({ state }) => state.type === "idle")

      // The agent learned the repository, without what lets anybody in.
      const tape = sent.tape ?? assert.fail("There is a tape")
      assert.deepStrictEqual(
        readdirSync(join(state, "tapes")).map((name) => join(state, "tapes", name)),
        [tape]
      )
      const told = yield* toldUntil(tape, (all) => all.some(({ method }) => method === "nes/accept"))
      assert.deepInclude(told.find(({ method }) => method === "nes/start")?.params, {
        repository: { owner: "team", name: "tool", remoteUrl: "https://git.example.com/team/tool.git" }
      })
      assert.notInclude(readFileSync(tape, "utf8"), "secret-key")

      // The page goes: what is open ends, its documents are closed, and another page begins anew.
      const again = given(yield* mine.suggest("src/a.ts", 2, 2, 9))
      assert.lengthOf(again.suggestions, 1)
      yield* Fiber.interrupt(mine.watching)
      const other = yield* page(client, "other")
      yield* other
        .suggest("src/a.ts", 2, 2, 9)
        .pipe(Effect.repeat({ until: ({ type }) => type === "notOpen", schedule: soon }))
      assert.strictEqual((yield* Effect.flip(mine.open("src/a.ts", text)))._tag, "Refused")
      yield* other.open("src/a.ts", text)
      yield* other.suggest("src/a.ts", 1, 2, 8)
      const after = yield* toldUntil(tape, (all) => all.filter(({ method }) => method === "nes/suggest").length === 3)
      assert.deepStrictEqual(
        after.slice(after.findLastIndex(({ method }) => method === "nes/reject")).map(({ method }) => method),
        ["nes/reject", "document/didClose", "document/didClose", "document/didOpen", "nes/suggest"]
      )
    }).pipe(Effect.scoped)
  )

  it.live("two pages with one file: the one that opened it last has it, and the other is told so", () =>
    Effect.gen(function* () {
      const { client, connected } = yield* setUp()
      // One page has a connection of its own.
      const connection = yield* Scope.make()
      const away = yield* Scope.provide(connected, connection)
      const one = yield* Scope.provide(page(away.client, "one"), connection)
      const two = yield* page(client, "two")
      yield* one.open("a.ts", text)
      yield* two.open("a.ts", `// mine\n${text}`)
      const taken = yield* one.report({ type: "changed", path: "a.ts", version: 7, changes: [insert(0, 0, "x")] })
      assert.deepStrictEqual(taken, { withheld: [], again: [], elsewhere: ["a.ts"] })
      assert.deepStrictEqual(yield* one.suggest("a.ts", 7, 2, 8), { type: "elsewhere" })
      assert.lengthOf(given(yield* two.suggest("a.ts", 1, 3, 8)).suggestions, 1)
      // The first one leaves: the document stays, since it is the other's.
      yield* one.report({ type: "closed", path: "a.ts" })
      yield* one.open("b.ts", text)
      yield* Scope.close(connection, Exit.void)
      assert.lengthOf(given(yield* two.suggest("a.ts", 1, 3, 8)).suggestions, 1)
      // What the first one had goes with its connection.
      yield* two
        .suggest("b.ts", 1, 2, 8)
        .pipe(Effect.repeat({ until: ({ type }) => type === "notOpen", schedule: soon }))
      const late = yield* two.report(
        { type: "changed", path: "a.ts", version: 1, changes: [insert(0, 0, "x")] },
        { type: "changed", path: "new.ts", version: 2, changes: [] },
        { type: "opened", path: "new.ts", version: 3, text: "" },
        { type: "opened", path: ".env", version: 1, text: "KEY=1" }
      )
      assert.deepInclude(late, { again: ["a.ts"], elsewhere: [] })
      assert.match(late.withheld[0]?.why ?? "", /never sent \(\.env\*\)/)
      assert.strictEqual((yield* two.suggest(".env", 1, 0, 0)).type, "withheld")
      assert.deepStrictEqual(yield* two.suggest("a.ts", 9, 0, 0), { type: "overtaken" })
    }).pipe(Effect.scoped)
  )

  it.live("an editor with a folder and no thread gets suggestions, and shares files with pages", () =>
    Effect.gen(function* () {
      const { client, cwd } = yield* setUp()
      const editor = yield* editorIn(client, cwd)
      assert.deepInclude(editor.first, { type: "on", agent: { id: "nes", name: "Nes" } })
      // Nothing of it has to be on the disk.
      yield* editor.open(join(cwd, "new.ts"), text)
      const [edit] = given(yield* editor.suggest(join(cwd, "new.ts"), 1, 2, 8)).suggestions
      assert.deepInclude(edit, { kind: "edit", path: join(cwd, "new.ts") })
      assert.isTrue(yield* editor.end(edit?.id ?? "", "rejected"))
      const [withheld] = (yield* editor.open(join(cwd, ".env"), "KEY=1")).withheld
      assert.match(withheld?.why ?? "", /never sent/)

      // Another spelling of the folder has the same desk.
      const spelled = yield* editorIn(client, `${cwd}/../${basename(cwd)}/`, "spelled")
      yield* spelled.open(join(cwd, "new.ts"), text)
      assert.deepStrictEqual(yield* editor.suggest(join(cwd, "new.ts"), 1, 2, 8), { type: "elsewhere" })

      const mine = yield* page(client)
      yield* mine.open("new.ts", text)
      assert.deepStrictEqual(yield* editor.suggest(join(cwd, "new.ts"), 1, 2, 8), { type: "elsewhere" })

      const refused = yield* Effect.flip(
        client.watchFolderSuggestions({ page: PageId.make("x"), folder: "src" }).pipe(Stream.runDrain)
      )
      assert.include(refused.message, "no suggestions in src")
      const gone = join(cwd, "gone")
      const missing = yield* Effect.flip(
        client.watchFolderSuggestions({ page: PageId.make("x"), folder: gone }).pipe(Stream.runDrain)
      )
      assert.include(missing.message, `no suggestions in ${gone}`)
    }).pipe(Effect.scoped)
  )

  it.live("settings count at once: nobody, another agent, another pause; and a deleted thread has none", () =>
    Effect.gen(function* () {
      const { client, state, threadId } = yield* setUp({})
      const mine = yield* page(client)
      assert.deepInclude(mine.first, { type: "off" })
      assert.deepInclude(yield* mine.open("a.ts", text), { again: [] })
      assert.strictEqual((yield* mine.suggest("a.ts", 1, 2, 8)).type, "off")

      put(state, { ...settingsOf(), suggestions: { provider: "missing" } })
      const missing = yield* mine.next("off")
      assert.deepInclude(missing.problem, { code: "agent-not-found", title: "There is no agent called missing." })

      put(state, settingsOf())
      const first = yield* mine.next("on")
      assert.deepStrictEqual(yield* mine.suggest("a.ts", 1, 2, 8), { type: "notOpen" })
      yield* mine.open("a.ts", text)
      assert.lengthOf(given(yield* mine.suggest("a.ts", 1, 2, 8)).suggestions, 1)

      put(state, { ...settingsOf(), suggestions: { provider: "nes", debounce: 321 } })
      const slower = yield* mine.next("on", ({ debounceMs }) => debounceMs === 321)
      assert.strictEqual(slower.desk, first.desk)
      // Its documents are still there.
      assert.lengthOf(given(yield* mine.suggest("a.ts", 1, 2, 8)).suggestions, 1)

      put(state, { agents: { other: agentOf() }, suggestions: { provider: "other" } })
      const changed = yield* mine.next("on", ({ desk }) => desk !== first.desk)
      assert.strictEqual(changed.agent.id, "other")
      assert.deepStrictEqual(yield* mine.suggest("a.ts", 1, 2, 8), { type: "notOpen" })

      yield* client.deleteThread({ threadId })
      const refused = yield* Effect.flip(Fiber.join(mine.watching))
      assert.include(refused.message, "no suggestions for this thread any more")
      assert.strictEqual((yield* Effect.flip(mine.open("a.ts", text)))._tag, "Refused")
    }).pipe(Effect.scoped)
  )

  it.live("a page turns them off and on for all pages, and the settings keep all that people wrote", () =>
    Effect.gen(function* () {
      const { client, state } = yield* setUp({
        ...settingsOf(),
        suggestions: { provider: "nes", debounce: 0, neverSend: ["x.json"] }
      })
      const file = join(state, "settings.json")
      const before: unknown = JSON.parse(readFileSync(file, "utf8"))
      const mine = yield* page(client)
      const other = yield* page(client, "other")
      yield* mine.open("a.ts", text)
      yield* client.turnSuggestions({ on: false })
      const off = {
        type: "off",
        why: 'Suggestions by Nes are turned off, in all pages. The settings say so: "suggestions": {"off": true}.',
        turnedOff: "Nes"
      } as const
      assert.deepStrictEqual(yield* mine.next("off"), off)
      assert.deepStrictEqual(yield* other.next("off"), off)
      assert.strictEqual((yield* mine.suggest("a.ts", 1, 2, 8)).type, "off")
      assert.deepInclude(JSON.parse(readFileSync(file, "utf8")), {
        suggestions: { provider: "nes", debounce: 0, neverSend: ["x.json"], off: true }
      })
      // A page that comes later can turn them on again.
      assert.deepStrictEqual((yield* page(client, "later")).first, off)
      yield* client.turnSuggestions({ on: true })
      yield* mine.next("on")
      yield* mine.open("a.ts", text)
      assert.lengthOf(given(yield* mine.suggest("a.ts", 1, 2, 8)).suggestions, 1)
      assert.deepStrictEqual(JSON.parse(readFileSync(file, "utf8")), before)
      put(state, {})
      yield* mine.next("off", ({ turnedOff }) => turnedOff === undefined)
      const failure = yield* Effect.flip(client.turnSuggestions({ on: true }))
      assert.include(failure.message, "The settings name no agent for suggestions.")
      assert.strictEqual(readFileSync(file, "utf8"), "{}")
    }).pipe(Effect.scoped)
  )

  it.live("what became of them today is counted for all pages, as the record has it", () =>
    Effect.gen(function* () {
      const { client, state } = yield* setUp()
      const mine = yield* page(client)
      yield* mine.open("a.ts", text)
      const ask = Effect.map(mine.suggest("a.ts", 1, 2, 8), (answer) => given(answer).suggestions[0]?.id ?? "")
      // The agent does not suggest again what people have dismissed.
      for (const end of ["accepted", "ignored", "accepted", "rejected"] as const)
        assert.isTrue(yield* mine.end(yield* ask, end), end)
      const { figures } = yield* mine.next("today", ({ figures }) => figures?.dismissed === 1)
      assert.deepStrictEqual(figures, { accepted: 2, dismissed: 1, unused: 1 })
      const { suggestions } = yield* Effect.map(Stream.runHead(client.watchHealth()), Option.getOrThrow)
      const counted = suggestions?.agents.find(({ providerId }) => providerId === "nes")?.last30Days
      assert.deepInclude(counted, { accepted: 2, dismissed: 1, ignored: 1, replaced: 0 })
      // What other programs count is in it, too. Yesterday is not.
      const record = TallyFile.open(suggestionCountsIn(state))
      const agent = { provider: "nes", program: "", name: "Nes" }
      const day = TallyFile.dayOf(Date.now())
      const addition = { agent, detail: "", times: 5, what: "accepted" } as const
      record.add(
        [
          { ...addition, day },
          { ...addition, day: day - 1 }
        ],
        Date.now()
      )
      record.close()
      const later = yield* page(client, "later")
      const all = yield* later.next("today", ({ figures }) => figures !== undefined)
      assert.deepStrictEqual(all.figures, { accepted: 7, dismissed: 1, unused: 1 })
    }).pipe(Effect.scoped)
  )

  it.live("the 201st document has none, with the reason and what to do, until another one is closed", () =>
    Effect.gen(function* () {
      const { client } = yield* setUp()
      const mine = yield* page(client)
      const opening = (path: string) => ({ type: "opened", path, version: 1, text }) as const
      const focusing = { type: "focused", path: "201.ts", position: at(2, 8), visible: [] } as const
      const others = Array.from({ length: 200 }, (_, index) => opening(`${index + 1}.ts`))
      assert.deepStrictEqual(yield* mine.report(...others), { withheld: [], again: [], elsewhere: [] })
      const why = "200 files are open, and no more get suggestions. Close some of them, and write here again."
      // The page is not made to report it again and again.
      assert.deepStrictEqual(yield* mine.report(opening("201.ts"), focusing), {
        withheld: [{ path: "201.ts", why }],
        again: [],
        elsewhere: []
      })
      assert.deepStrictEqual(yield* mine.suggest("201.ts", 1, 2, 8), { type: "withheld", why })
      const typed = { type: "changed", path: "201.ts", version: 2, changes: [insert(2, 8, "e")] } as const
      assert.deepStrictEqual(yield* mine.report(typed), { withheld: [], again: [], elsewhere: [] })
      yield* mine.report({ type: "closed", path: "7.ts" })
      assert.deepStrictEqual(yield* mine.suggest("201.ts", 2, 2, 9), { type: "notOpen" })
      assert.deepStrictEqual(yield* mine.report(typed), { withheld: [], again: ["201.ts"], elsewhere: [] })
      assert.deepStrictEqual(yield* mine.report(opening("201.ts"), focusing), {
        withheld: [],
        again: [],
        elsewhere: []
      })
      assert.lengthOf(given(yield* mine.suggest("201.ts", 1, 2, 8)).suggestions, 1)
    }).pipe(Effect.scoped)
  )

  it.live("two threads of one folder share one session of the agent, which stays while one of them is there", () =>
    Effect.gen(function* () {
      const { client, cwd, send } = yield* setUp()
      const second = ThreadId.make("second")
      yield* send(second, {
        type: "thread.create",
        provider: ProviderId.make("scripted"),
        cwd,
        providerOptions: { acp: scriptedCommand }
      })
      const one = yield* page(client, "one")
      const two = yield* page(client, "two", second)
      yield* one.open("a.ts", text)
      yield* two.open("b.ts", text)
      assert.lengthOf(given(yield* one.suggest("a.ts", 1, 2, 8)).suggestions, 1)
      assert.lengthOf(given(yield* two.suggest("b.ts", 1, 2, 8)).suggestions, 1)
      const { tape = assert.fail("There is a tape") } = yield* one.sent()
      assert.strictEqual((yield* two.sent()).tape, tape)
      const told = yield* toldUntil(tape, (all) => all.filter(({ method }) => method === "nes/suggest").length === 2)
      assert.deepStrictEqual(
        told.map(({ method }) => method).filter((method) => method !== "document/didFocus"),
        ["initialize", "nes/start", "document/didOpen", "document/didOpen", "nes/suggest", "nes/suggest"]
      )
      // One thread goes; the session stays for the other one.
      yield* Fiber.interrupt(two.watching)
      yield* toldUntil(tape, (all) => all.some(({ method }) => method === "document/didClose"))
      assert.lengthOf(given(yield* one.suggest("a.ts", 1, 2, 8)).suggestions, 1)
      const after = yield* toldUntil(tape, (all) => all.filter(({ method }) => method === "nes/suggest").length === 3)
      assert.lengthOf(
        after.filter(({ method }) => method === "nes/start"),
        1
      )
      assert.notInclude(JSON.stringify(after), "nes/close")
    }).pipe(Effect.scoped)
  )

  it("need the scope operate, since each of them sends texts to an agent", () => {
    const { endSuggestion, reportDocuments, suggestEdits, suggestionPlaces, suggestionSent, watchSuggestions } =
      rpcScopes
    for (const need of [
      endSuggestion,
      reportDocuments,
      rpcScopes.setSuggestionSetting,
      suggestEdits,
      suggestionPlaces,
      suggestionSent,
      rpcScopes.watchFolderSuggestions,
      watchSuggestions
    ])
      assert.strictEqual(need.needs, "operate")
  })
})
