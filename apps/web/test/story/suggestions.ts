/** Suggestions in the editor: what is shown, held against the text, the disk, and what the agent heard. */
import { assert, describe, vi } from "vitest"
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { scripted } from "../support/agents.ts"
import { editorOf, hears, watchPolicy } from "../support/EditorPane.ts"
import { emulatorFolder, entry, gone, type Server } from "../support/Server.ts"
import { test } from "../support/story.ts"
import { patience } from "../support/Tab.ts"

/** Makes a project a repository: what Git can't say of a file is not sent. */
const initialize = (project: string): void => {
  rmSync(join(project, ".git"), { recursive: true })
  execFileSync("git", ["init", "--quiet", project])
}

/** The reference agent, with a copy of all that it hears. */
const referenceAgent = (heard: string, ...options: ReadonlyArray<string>) => ({
  name: "Next Edit",
  command: "bash",
  args: ["-c", `exec "$@" < <(exec tee -a "$0")`, heard, join(emulatorFolder, "signalbox-nes"), ...options]
})

/** An agent that answers each question by the same suggestions. */
const stubborn = (suggestions: ReadonlyArray<object>) => ({
  name: "Stubborn",
  command: process.execPath,
  args: [
    "--eval",
    `const results = {
      initialize: { protocolVersion: 1, agentCapabilities: { nes: { events: { document: { didOpen: {}, didChange: { syncKind: "full" } } } } } },
      "nes/start": { sessionId: "one" },
      "nes/suggest": { suggestions: ${JSON.stringify(suggestions)} }
    }
    let times = 0
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method } = JSON.parse(line)
      if (id === undefined) return
      const result = method === "nes/suggest" && times++ > 0 ? { suggestions: [] } : (results[method] ?? {})
      console.log(JSON.stringify({ jsonrpc: "2.0", id, result }))
    })`
  ]
})

const settle = (server: Server, project: string, ...options: ReadonlyArray<string>) => {
  initialize(project)
  const heard = join(server.home, "heard.ndjson")
  server.settle({ agents: { nes: referenceAgent(heard, ...options) }, suggestions: { provider: "nes", debounce: 20 } })
  return {
    file: heard,
    /** The messages of a method that the agent has heard. */
    messages: (method: string): ReadonlyArray<{ readonly params: Record<string, unknown> }> =>
      existsSync(heard)
        ? readFileSync(heard, "utf8")
            .split("\n")
            .filter((line) => line.includes(`"${method}"`))
            .map((line) => JSON.parse(line))
        : []
  }
}

/** An agent of a thread that edits a file until another file appears. */
const editing = (path: string, until: string) =>
  scripted({
    prompts: [
      [
        {
          update: {
            sessionUpdate: "tool_call",
            toolCallId: "edit-1",
            title: "Edit",
            kind: "edit",
            status: "in_progress",
            locations: [{ path }]
          }
        },
        { waitForFile: until },
        { update: { sessionUpdate: "tool_call_update", toolCallId: "edit-1", status: "completed" } }
      ]
    ]
  })

export const suggestions = () =>
  describe("suggestions", () => {
    test("an insertion is ghost text, kept while people type it, accepted by Tab and undone at once", async ({
      alone,
      open,
      project
    }) => {
      const agent = settle(alone, project)
      const file = join(project, "rows.ts")
      const text = "const row1 = 1\r\nconst row2 = 2\r\n"
      writeFileSync(file, text)
      const tab = await open(alone.link, watchPolicy)
      await tab.startThread(project)
      await tab.button("Editor").click()
      const editor = editorOf(tab)
      const rows = (...last: ReadonlyArray<string>) =>
        vi.waitFor(
          async () =>
            assert.deepStrictEqual(await editor.lines("rows.ts"), ["const row1 = 1", "const row2 = 2", ...last]),
          { timeout: patience }
        )
      await editor.open("rows.ts")
      await editor.says("Suggestions by Next Edit")
      await editor.code("rows.ts").click()
      // Nothing is shown: the key indents.
      await tab.press("Control+End", "Tab")
      await rows("  ")
      await tab.press("Control+z")
      await tab.page.keyboard.type("const row")
      await editor.ghost.getByText("3 = 3", { exact: true }).waitFor()
      await hears(tab, "Suggestion, line 3: insert 3 = 3. Press Tab to accept, Escape to dismiss.")
      await rows("const row")
      // What it says is typed: the rest stays.
      await tab.page.keyboard.type("3 ")
      await editor.ghost.getByText("= 3", { exact: true }).waitFor()
      await tab.press("Tab")
      await editor.ghost.waitFor({ state: "detached" })
      await rows("const row3 = 3")
      assert.strictEqual(readFileSync(file, "utf8"), text)
      await vi.waitFor(() => assert.strictEqual(agent.messages("nes/accept").length, 1), { timeout: patience })
      await tab.press("Control+z")
      await rows("const row3 ")
      await tab.press("Control+y")
      await rows("const row3 = 3")
      // Dismissed, and not suggested here again. The key is free then.
      await tab.press("Enter")
      await tab.page.keyboard.type("const row")
      await editor.ghost.getByText("4 = 4", { exact: true }).waitFor()
      await tab.press("Escape")
      await editor.ghost.waitFor({ state: "detached" })
      await vi.waitFor(() => assert.include(JSON.stringify(agent.messages("nes/reject")), '"reason":"rejected"'), {
        timeout: patience
      })
      // By hand, with several lines at once, and by an input method: nothing of what is written is lost.
      await tab.press("Enter")
      await tab.page.keyboard.insertText("const line1 = 1\nconst line2 = 2\nconst line")
      await editor.ghost.getByText("3 = 3", { exact: true }).waitFor()
      const devtools = await tab.page.context().newCDPSession(tab.page)
      await devtools.send("Input.imeSetComposition", { text: "に", selectionStart: 1, selectionEnd: 1 })
      await devtools.send("Input.imeSetComposition", { text: "にほ", selectionStart: 2, selectionEnd: 2 })
      await tab.page.keyboard.insertText("日本")
      await rows("const row3 = 3", "const row", "const line1 = 1", "const line2 = 2", "const line日本")
      await tab.press("Control+s")
      await editor.says("Saved")
      const saved = [text, "const row3 = 3\r\nconst row\r\nconst line1 = 1\r\nconst line2 = 2\r\nconst line日本"].join(
        ""
      )
      assert.strictEqual(readFileSync(file, "utf8"), saved)
      // What was sent is shown as it left.
      await tab.button("What was sent").click()
      const dialog = tab.page.getByRole("dialog", { name: "What was sent for this suggestion" })
      const message = JSON.parse((await dialog.locator("pre").textContent()) ?? "")
      assert.deepStrictEqual(
        agent.messages("nes/suggest").some(({ params }) => JSON.stringify(params) === JSON.stringify(message.params)),
        true
      )
      await dialog.getByText("rows.ts", { exact: true }).waitFor()
      await tab.press("Escape")
    })

    test("a recording is named while it is made, ends with the setting, and is replayed as it was", async ({
      alone,
      open,
      project
    }) => {
      settle(alone, project)
      const settings = { agents: { nes: referenceAgent(join(alone.home, "heard.ndjson")) } }
      const record = (wanted: boolean) =>
        alone.settle({ ...settings, suggestions: { provider: "nes", debounce: 20, record: wanted } })
      record(true)
      writeFileSync(join(project, "rows.ts"), "const row1 = 1\nconst row2 = 2\n")
      const tab = await open(alone.link, watchPolicy)
      await tab.startThread(project)
      await tab.button("Editor").click()
      const editor = editorOf(tab)
      await editor.open("rows.ts")
      await tab.button("Recorded").click()
      const dialog = tab.page.getByRole("dialog", { name: "What you edit is recorded" })
      const file = (await dialog.locator("dd code").first().textContent()) ?? ""
      assert.include(file, "recordings")
      await tab.press("Escape")
      await editor.code("rows.ts").click()
      await tab.press("Control+End")
      await tab.page.keyboard.type("const row")
      await editor.ghost.getByText("3 = 3", { exact: true }).waitFor()
      await tab.press("Tab")
      await editor.ghost.waitFor({ state: "detached" })
      record(false)
      await tab.button("Recorded").waitFor({ state: "detached" })
      await tab.page.keyboard.type("1")
      await editor.says("Suggestions by Next Edit")
      assert.notInclude(readFileSync(file, "utf8"), "const row3 = 31")
      const report = execFileSync(process.execPath, [entry, "nes", "replay", file, "--json"], {
        env: { ...process.env, SIGNALBOX_STATE_DIR: join(alone.home, "state") },
        encoding: "utf8"
      })
      const last: unknown = JSON.parse(report.trimEnd().split("\n").at(-1) ?? "")
      assert.deepInclude(last, { type: "report", different: 0, onlyRecorded: 0, onlyReplayed: 0 })
      assert.deepInclude(last, { accepted: { all: 1, again: 1, first: 1 } })
    })

    test("changes are drawn as they will be, here and in other files, and a renaming is chosen place by place", async ({
      alone,
      open,
      project
    }) => {
      const agent = settle(alone, project)
      const row = (id: number) => `  { id: ${id}, dueAt: row.due_at },\n`
      const changed = (id: number) => `  { id: ${id}, notBefore: new Date(row.due_at) },`
      writeFileSync(join(project, "queue.ts"), `const rows = [\n${row(1)}${row(2)}${row(3)}]\n`)
      writeFileSync(join(project, "types.ts"), "export const total = 1\n\nexport const twice = total + total\n")
      writeFileSync(join(project, "use.ts"), "import { total } from './types.ts'\n\nconsole.log(total)\n")
      const tab = await open(alone.link, watchPolicy)
      await tab.startThread(project)
      await tab.button("Editor").click()
      const editor = editorOf(tab)
      await editor.open("queue.ts")
      await editor.says("Suggestions by Next Edit")
      await editor.code("queue.ts").click()
      await tab.press("Control+Home", "ArrowDown", "End", "ArrowLeft", "ArrowLeft", "ArrowLeft")
      for (const _ of "dueAt: row.due_at") await tab.press("Shift+ArrowLeft")
      await tab.page.keyboard.insertText("notBefore: new Date(row.due_at)")
      // The old line is struck, the new one stands below it, and the text is as it was.
      const struck = editor.code("queue.ts").locator(".cm-goneLine")
      await struck.getByText("dueAt: row.due_at").waitFor()
      assert.strictEqual(await editor.room.locator(".cm-newText").textContent(), "notBefore: new Date(row.due_at)")
      assert.strictEqual((await editor.lines("queue.ts"))[2], row(2).trimEnd())
      await hears(tab, /^Suggestion 1 of \d, line 3: replace dueAt: row.due_at by notBefore: new Date\(row.due_at\)\./)
      // The next one is further away: the first key leads there, the second accepts.
      await tab.press("Alt+]")
      await editor.hint.getByText("to jump to line 4").waitFor()
      await tab.press("Alt+[")
      await editor.hint.waitFor({ state: "hidden" })
      await tab.press("Alt+]", "Tab", "Tab")
      await vi.waitFor(async () => assert.strictEqual((await editor.lines("queue.ts"))[3], changed(3)), {
        timeout: patience
      })
      assert.strictEqual((await editor.lines("queue.ts"))[2], row(2).trimEnd())

      await editor.open("use.ts")
      await editor.room.getByRole("button", { name: "Close use.ts" }).click()
      await editor.open("types.ts")
      await editor.code("types.ts").click()
      await tab.press("Control+Home", "End", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft")
      for (const _ of "total") await tab.press("Shift+ArrowLeft")
      await tab.page.keyboard.insertText("sum")
      await editor.hint.getByText("to choose what to rename").waitFor()
      await tab.press("Tab")
      const renaming = tab.page.getByRole("dialog", { name: "Rename total to sum" })
      await renaming.getByText("No language server is asked.").waitFor()
      await renaming.getByRole("checkbox").nth(2).uncheck()
      await renaming.getByRole("button", { name: "Rename 1 place" }).waitFor()
      await renaming.getByRole("checkbox").nth(2).check()
      await renaming.getByRole("button", { name: "Rename 2 places" }).click()
      const types = ["export const sum = 1", "", "export const twice = sum + sum", ""]
      await vi.waitFor(async () => assert.deepStrictEqual(await editor.lines("types.ts"), types), { timeout: patience })
      // What the whole project needs: a file that isn't open opens as a tab, and nothing is written.
      await editor.hint.getByText("to choose what to replace").waitFor()
      await tab.press("Tab")
      const replacing = tab.page.getByRole("dialog", { name: "Replace total by sum" })
      await replacing.getByRole("button", { name: /^Replace \d places/ }).click()
      await editor.tab(/use\.ts, unsaved/).click()
      await vi.waitFor(
        async () =>
          assert.deepStrictEqual(await editor.lines("use.ts"), [
            "import { sum } from './types.ts'",
            "",
            "console.log(sum)",
            ""
          ]),
        { timeout: patience }
      )
      assert.include(readFileSync(join(project, "use.ts"), "utf8"), "total")
      await editor.code("use.ts").click()
      await tab.press("Control+z")
      assert.strictEqual((await editor.lines("use.ts")).join("\n"), readFileSync(join(project, "use.ts"), "utf8"))
      await vi.waitFor(() => assert.strictEqual(agent.messages("nes/accept").length, 3), { timeout: patience })
    })

    test("say why there are none: never sent, the agent edits the file, another page has it", async ({
      alone,
      open,
      project
    }) => {
      const agent = settle(alone, project)
      alone.settle({
        agents: {
          nes: referenceAgent(agent.file),
          script: { ...editing(join(project, "rows.ts"), "done"), cwd: "project" }
        },
        suggestions: { provider: "nes", debounce: 20 }
      })
      writeFileSync(join(project, "rows.ts"), "const row1 = 1\nconst row2 = 2\n")
      writeFileSync(join(project, ".env.local"), "KEY1=1\nKEY2=2\n")
      const tab = await open(alone.link, watchPolicy)
      await tab.startThread(project, "Script")
      await tab.button("Editor").click()
      const editor = editorOf(tab)
      const at = tab.page.url().replace(/\/files.*/, "/files/.env.local")
      await tab.page.goto(at)
      await editor.says("Suggestions off for this file. It is on the list of files that are never sent (.env*).")
      await editor.code(".env.local").click()
      await tab.press("Control+End")
      await tab.page.keyboard.type("KEY")
      await editor.open("rows.ts")
      await editor.code("rows.ts").click()
      await tab.press("Control+End")
      await tab.page.keyboard.type("const row")
      await editor.ghost.getByText("3 = 3", { exact: true }).waitFor()
      await tab.prompt("Edit it")
      await editor.says("Suggestions paused while Script edits this file")
      await editor.ghost.waitFor({ state: "detached" })
      await editor.code("rows.ts").click()
      await tab.press("Alt+\\", "Control+End")
      await tab.page.keyboard.type("3 = 3")
      await tab.press("Enter")
      writeFileSync(join(project, "done"), "")
      await editor.says("Suggestions by Next Edit")
      await tab.page.keyboard.type("const row")
      await editor.ghost.getByText("4 = 4", { exact: true }).waitFor()
      // Buttons where there are no keys.
      await tab.page.setViewportSize({ width: 390, height: 844 })
      await tab.button("Accept").click()
      await vi.waitFor(
        async () =>
          assert.deepStrictEqual((await editor.lines("rows.ts")).slice(2), ["const row3 = 3", "const row4 = 4"]),
        { timeout: patience }
      )
      assert.strictEqual(await tab.sideways(), 0)
      await tab.page.setViewportSize({ width: 1440, height: 900 })
      assert.notInclude(readFileSync(agent.file, "utf8"), "KEY1")
      // A text that another page edits now has none.
      await tab.press("Enter")
      await tab.page.keyboard.type("const row")
      await editor.ghost.getByText("5 = 5", { exact: true }).waitFor()
      const other = await open(tab.page.url(), watchPolicy)
      await editorOf(other).bar("Another page edits rows.ts.").getByRole("button", { name: "Take over" }).click()
      await editor.ghost.waitFor({ state: "detached" })
      await other.close()
    })

    test("go on after an agent that ended and a server that was gone, with the text as it is", async ({
      alone,
      open,
      project
    }) => {
      const agent = settle(alone, project, "--misbehave", "dies")
      writeFileSync(join(project, "rows.ts"), "const row1 = 1\nconst row2 = 2\n")
      const tab = await open(alone.link, watchPolicy)
      tab.expect(...gone)
      await tab.startThread(project)
      await tab.button("Editor").click()
      const editor = editorOf(tab)
      await editor.open("rows.ts")
      await editor.code("rows.ts").click()
      await tab.press("Control+End")
      await tab.page.keyboard.type("const row")
      await editor.says("Next Edit ended by itself.")
      await editor.status.getByRole("button", { name: "What happened" }).click()
      await tab.page.getByRole("dialog", { name: "What happened" }).getByText("exited with code 9").waitFor()
      await tab.press("Escape")
      alone.settle({ agents: { nes: referenceAgent(agent.file) }, suggestions: { provider: "nes", debounce: 20 } })
      await editor.says("Suggestions by Next Edit")
      // What is typed meanwhile is known to the next agent.
      await alone.crash()
      await editor.code("rows.ts").click()
      await tab.press("Control+End")
      await tab.page.keyboard.type("3 = 3")
      await tab.press("Enter")
      const opened = agent.messages("document/didOpen").length
      await alone.start()
      await vi.waitFor(() => assert.isAbove(agent.messages("document/didOpen").length, opened), { timeout: patience })
      await tab.page.keyboard.type("const row")
      await editor.ghost.getByText("4 = 4", { exact: true }).waitFor()
      const { params } = agent.messages("document/didOpen").at(-1) ?? {}
      assert.include(
        JSON.stringify(params),
        JSON.stringify("const row1 = 1\nconst row2 = 2\nconst row3 = 3\n").slice(1, -1)
      )
    })

    test("several edits of a file that isn’t open are drawn there first, and accepted as one step", async ({
      alone,
      open,
      project
    }) => {
      initialize(project)
      writeFileSync(join(project, "queue.ts"), "const one = 1\n")
      const text = `${"// line\n".repeat(80)}use(dueAt)\nlast(dueAt)\n`
      writeFileSync(join(project, "other.ts"), text)
      const edit = (line: number, from: number) => ({
        range: { start: { line, character: from }, end: { line, character: from + 5 } },
        newText: "notBefore"
      })
      const suggestion = {
        id: "a",
        kind: "edit",
        uri: pathToFileURL(join(project, "other.ts")).href,
        edits: [
          edit(80, 4),
          edit(81, 5),
          { range: { start: { line: 82, character: 0 }, end: { line: 82, character: 0 } }, newText: "more()\n" }
        ],
        cursorPosition: { line: 80, character: 2 }
      }
      alone.settle({
        agents: { stubborn: stubborn([suggestion]) },
        suggestions: { provider: "stubborn", debounce: 20 }
      })
      const tab = await open(alone.link, watchPolicy)
      await tab.startThread(project)
      await tab.button("Editor").click()
      const editor = editorOf(tab)
      await editor.open("queue.ts")
      await editor.code("queue.ts").click()
      await tab.press("Alt+\\")
      await editor.hint.getByText("to open other.ts, line 81").waitFor()
      await editor.hint.getByText("use(").waitFor()
      await tab.press("Tab")
      await editor.code("other.ts").locator(".cm-goneLine").getByText("last(dueAt)").waitFor()
      await editor.code("other.ts").getByText("more()").waitFor()
      assert.isUndefined((await editor.lines("other.ts")).find((line) => line?.includes("notBefore")))
      await editor.code("other.ts").and(tab.page.locator(":focus")).waitFor()
      await tab.press("Tab")
      await editor.says("Ln 81, Col 3")
      const changed = (await editor.lines("other.ts")).slice(-4)
      assert.deepStrictEqual(changed, ["use(notBefore)", "last(notBefore)", "more()", ""])
      await tab.press("Control+z")
      await editor.says("Saved")
      assert.strictEqual(readFileSync(join(project, "other.ts"), "utf8"), text)
    })

    test("text of several lines is put in as it is, also above lines that are only drawn", async ({
      alone,
      open,
      project
    }) => {
      settle(alone, project)
      const row = (id: number) => `  { id: ${id}, dueAt: row.due_at },`
      const rows = [row(1), row(2), row(3)]
      writeFileSync(join(project, "queue.ts"), rows.join("\n"))
      const tab = await open(alone.link, watchPolicy)
      await tab.startThread(project)
      await tab.button("Editor").click()
      const editor = editorOf(tab)
      await editor.open("queue.ts")
      await editor.code("queue.ts").click()
      await tab.press("Control+Home", "End", "ArrowLeft", "ArrowLeft", "ArrowLeft")
      for (const _ of "dueAt: row.due_at") await tab.press("Shift+ArrowLeft")
      await tab.page.keyboard.insertText("notBefore: new Date(row.due_at)")
      await editor.code("queue.ts").locator(".cm-goneLine").waitFor()
      await tab.press("ArrowDown", "End")
      for (const _ of "row.due_at }") await tab.press("ArrowLeft")
      await tab.page.keyboard.insertText("a\nb\nc")
      await vi.waitFor(
        async () =>
          assert.deepStrictEqual((await editor.lines("queue.ts")).slice(1), [
            `${row(2).slice(0, -12)}a`,
            "b",
            `c${row(2).slice(-12)}`,
            row(3)
          ]),
        { timeout: patience }
      )
    })
  })
