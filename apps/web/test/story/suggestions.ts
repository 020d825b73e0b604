/** Suggestions in the editor: what is shown, held against the text, the disk, and what the agent heard. */
import { Health } from "@signalbox/contracts/Health"
import * as Schema from "effect/Schema"
import { assert, describe, vi } from "vitest"
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { referenceAgent, scripted } from "../support/agents.ts"
import { byteSize } from "../../src/words/figures.ts"
import { editorOf, hears, onDisk, watchPolicy } from "../support/EditorPane.ts"
import { entry, gone, type Server } from "../support/Server.ts"
import { test } from "../support/story.ts"
import { patience } from "../support/Tab.ts"

/** Makes a project a repository: what Git can't say of a file is not sent. */
const initialize = (project: string): void => {
  rmSync(join(project, ".git"), { recursive: true })
  execFileSync("git", ["init", "--quiet", project])
}

/** An agent that has prepared its answers, whatever it is asked, with a copy of all that it hears. */
const stubborn = (heard: string, ...answers: ReadonlyArray<ReadonlyArray<object>>) => ({
  name: "Stubborn",
  command: "bash",
  args: [
    "-c",
    `exec "$@" < <(exec tee -a "$0")`,
    heard,
    process.execPath,
    "--eval",
    `const results = {
      initialize: { protocolVersion: 1, agentCapabilities: { nes: { events: { document: { didOpen: {}, didChange: { syncKind: "full" } } } } } },
      "nes/start": { sessionId: "one" }
    }
    const answers = ${JSON.stringify(answers)}
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method } = JSON.parse(line)
      if (id === undefined) return
      const result = method === "nes/suggest" ? { suggestions: answers.shift() ?? [] } : (results[method] ?? {})
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

const readHealth = Schema.decodeUnknownSync(Schema.fromJsonString(Health))

/** Runs a command beside a server. */
const inState = ({ home }: Server) => ({
  env: { ...process.env, SIGNALBOX_STATE_DIR: join(home, "state") },
  encoding: "utf8" as const
})

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
      await editor.enter("rows.ts")
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
      const edits = message.params.context.editHistory
      const row = dialog.getByRole("row", { name: `Edits: ${edits.length} edit` })
      await row.getByText(byteSize(Buffer.byteLength(JSON.stringify(edits))), { exact: true }).waitFor()
      await tab.press("Escape")
      // The line below the text, other programs and the page of agents count the same.
      await vi.waitFor(
        async () => {
          const { suggestions } = readHealth(execFileSync(process.execPath, [entry, "stats", "--json"], inState(alone)))
          const { accepted, dismissed, ignored, replaced } =
            suggestions?.agents.find(({ providerId }) => providerId === "nes")?.last30Days ?? assert.fail("None")
          const all = accepted + dismissed + ignored + replaced
          const today = editor.status.getByText("accepted today")
          assert.strictEqual(await today.textContent({ timeout: 1000 }), `1 of ${all} accepted today`)
          assert.strictEqual(
            await today.locator("..").getAttribute("title"),
            `Since midnight UTC, in all pages and editors: 1 accepted, 1 dismissed, ${ignored + replaced} not used.`
          )
        },
        { timeout: patience }
      )
      await tab.page.goto(`${alone.url}/#/agents`)
      const facts = tab.page
        .getByRole("article", { name: "Next Edit" })
        .getByRole("region", { name: "Suggestions in the last 30 days" })
      await vi.waitFor(
        async () => {
          const { suggestions } = readHealth(execFileSync(process.execPath, [entry, "stats", "--json"], inState(alone)))
          const counted = suggestions?.agents.find(({ providerId }) => providerId === "nes")?.last30Days
          assert.deepInclude(counted, { accepted: 1, dismissed: 1, refused: 0, failed: 0 })
          if (counted?.latency === undefined) return assert.fail("Nothing was measured")
          const { answered, ignored, latency, replaced, stale } = counted
          const read = await facts.locator("p").allTextContents()
          assert.strictEqual(
            read[0],
            `1 accepted, 1 dismissed, ${ignored + replaced} not used, ${stale} too late, 0 refused.`
          )
          assert.match(
            read[1] ?? "",
            new RegExp(
              `^Half of ${answered} answers came within ${latency.p50 < 1000 ? `${Math.round(latency.p50)} ms` : ".* s"}, 95 %`
            )
          )
        },
        { timeout: patience }
      )
    })

    test("settings of the agent are shown and chosen beside the suggestions, and the agent hears of it", async ({
      alone,
      open,
      project
    }) => {
      const agent = settle(alone, project)
      writeFileSync(join(project, "rows.py"), "item1 = f(10)\nitem2 = f(20)\n")
      const tab = await open(alone.link, watchPolicy)
      await tab.startThread(project)
      await tab.button("Editor").click()
      const editor = editorOf(tab)
      await editor.open("rows.py")
      await editor.says("Suggestions by Next Edit")
      // It says what it offers when it has begun.
      assert.strictEqual(await tab.button("Settings of Next Edit").count(), 0)
      await editor.write("rows.py", "item")
      await editor.ghost.getByText("3 = f(30)", { exact: true }).waitFor()
      const button = editor.status.getByRole("button", { name: "Settings", exact: true })
      await button.click()
      const dialog = tab.page.getByRole("dialog", { name: "Settings of Next Edit" })
      const scope = dialog.getByRole("combobox", { name: /^Suggestions/ })
      assert.strictEqual(await scope.inputValue(), "all")
      assert.deepStrictEqual(await scope.getByRole("option").allTextContents(), [
        "All kinds",
        "Edits only",
        "The rest of the line only"
      ])
      await dialog.getByText("Which kinds of suggestions are made").waitFor()
      await scope.selectOption({ label: "Edits only" })
      await vi.waitFor(
        () =>
          assert.deepStrictEqual(
            agent.messages("session/set_config_option").map(({ params }) => [params["configId"], params["value"]]),
            [["scope", "edits"]]
          ),
        { timeout: patience }
      )
      await tab.press("Escape")
      await dialog.waitFor({ state: "detached" })
      // The server keeps it, and says it to a page that comes later.
      await tab.page.reload()
      await button.click()
      assert.strictEqual(await scope.inputValue(), "edits")
      await tab.press("Escape")
      const listed = execFileSync(process.execPath, [entry, "settings", "list"], inState(alone))
      assert.match(listed, /suggestions nes\s.*\sscope\s+edits/)
    })

    test("are turned off and on from the line below the text, and the settings of all pages say so", async ({
      alone,
      open,
      project
    }) => {
      settle(alone, project)
      writeFileSync(join(project, "rows.ts"), "const row1 = 1\nconst row2 = 2\n")
      const tab = await open(alone.link, watchPolicy)
      await tab.startThread(project)
      await tab.button("Editor").click()
      const editor = editorOf(tab)
      await editor.open("rows.ts")
      await editor.says("Suggestions by Next Edit")
      await editor.enter("rows.ts")
      await tab.press("Control+End")
      await tab.page.keyboard.type("const row")
      await editor.ghost.getByText("3 = 3", { exact: true }).waitFor()
      await editor.status.getByRole("button", { name: "Settings", exact: true }).click()
      await tab.page
        .getByRole("dialog", { name: "Settings of Next Edit" })
        .getByRole("button", { name: "Turn off" })
        .click()
      await editor.says("Suggestions by Next Edit turned off")
      await editor.ghost.waitFor({ state: "detached" })
      await hears(tab, "Suggestions are turned off.")
      const written: unknown = JSON.parse(readFileSync(join(alone.home, "state", "settings.json"), "utf8"))
      assert.deepInclude(written, { suggestions: { provider: "nes", debounce: 20, off: true } })
      // A page that comes later says how to turn them on.
      await tab.page.reload()
      await editor.says("Suggestions by Next Edit turned off")
      await editor.status.getByRole("button", { name: "Why" }).click()
      const why = tab.page.getByRole("dialog", { name: "Suggestions are off" })
      await why.getByText('The settings say so: "suggestions": {"off": true}.').waitFor()
      await tab.press("Escape")
      await editor.status.getByRole("button", { name: "Turn on" }).click()
      await editor.says("Suggestions by Next Edit")
      await editor.enter("rows.ts")
      await tab.press("Control+End")
      await tab.page.keyboard.type(" ")
      await tab.press("Backspace")
      await editor.ghost.getByText("3 = 3", { exact: true }).waitFor()
      const again: unknown = JSON.parse(readFileSync(join(alone.home, "state", "settings.json"), "utf8"))
      assert.deepInclude(again, { suggestions: { provider: "nes", debounce: 20 } })
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
      await editor.enter("rows.ts")
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
      const report = execFileSync(process.execPath, [entry, "nes", "replay", file, "--json"], inState(alone))
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
      writeFileSync(join(project, "more.ts"), "console.log(total)\nconsole.log(2 * total)\n")
      writeFileSync(join(project, "gone.ts"), "console.log(total)\n")
      const tab = await open(alone.link, watchPolicy)
      await tab.startThread(project)
      await tab.button("Editor").click()
      const editor = editorOf(tab)
      await editor.open("queue.ts")
      await editor.says("Suggestions by Next Edit")
      await editor.enter("queue.ts")
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
      // Its line has a sign, and words are coloured by what they are, in light and dark.
      const there = await editor.room.locator(".cm-sign-target").getByText("→").boundingBox()
      const fourth = await editor.code("queue.ts").locator(".cm-line").nth(3).boundingBox()
      assert.closeTo((there?.y ?? 0) + (there?.height ?? 0) / 2, (fourth?.y ?? 99) + (fourth?.height ?? 0) / 2, 4)
      const word = editor.code("queue.ts").locator(".cm-line").first().getByText("const", { exact: true })
      for (const colorScheme of ["dark", "light"] as const) {
        await tab.page.emulateMedia({ colorScheme })
        const [own, around] = await word.evaluate((element) =>
          [element, element.parentElement ?? element].map((each) => getComputedStyle(each).color)
        )
        assert.notStrictEqual(own, around, colorScheme)
      }
      await tab.press("Alt+[")
      await editor.hint.waitFor({ state: "hidden" })
      await tab.press("Alt+]", "Tab", "Tab")
      await vi.waitFor(async () => assert.strictEqual((await editor.lines("queue.ts"))[3], changed(3)), {
        timeout: patience
      })
      assert.strictEqual((await editor.lines("queue.ts"))[2], row(2).trimEnd())

      await editor.open("use.ts")
      await editor.room.getByRole("button", { name: "Close use.ts" }).click()
      // From here on by keyboard alone, until the places of the project are replaced and saved.
      await editor.open("types.ts")
      await editor.code("types.ts").and(tab.page.locator(":focus")).waitFor()
      await tab.press("Control+f")
      await editor.room.getByRole("textbox", { name: "Find" }).and(tab.page.locator(":focus")).waitFor()
      await tab.page.keyboard.type("total")
      await vi.waitFor(async () => assert.strictEqual(await editor.room.locator(".cm-searchMatch").count(), 3), {
        timeout: patience
      })
      await tab.press("Escape")
      await editor.code("types.ts").and(tab.page.locator(":focus")).waitFor()
      await tab.press("Control+Home", "End", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft")
      for (const _ of "total") await tab.press("Shift+ArrowLeft")
      await tab.page.keyboard.insertText("sum")
      await editor.hint.getByText("to choose what to rename").waitFor()
      await tab.press("Tab")
      const renaming = tab.page.getByRole("dialog", { name: "Rename total to sum" })
      await renaming.getByText("No language server is asked.").waitFor()
      await tab.press("Shift+Tab", "Shift+Tab", "Space")
      await renaming.getByRole("button", { name: "Rename 1 place" }).waitFor()
      assert.isFalse(await renaming.getByRole("checkbox").nth(2).isChecked())
      await tab.press("Space")
      await renaming.getByRole("button", { name: "Rename 2 places" }).waitFor()
      await tab.press("Tab", "Tab", "Enter")
      const types = ["export const sum = 1", "", "export const twice = sum + sum", ""]
      await vi.waitFor(async () => assert.deepStrictEqual(await editor.lines("types.ts"), types), { timeout: patience })
      // What the whole project needs: a file that isn't open opens as a tab, and nothing is written.
      await editor.hint.getByText("to choose what to replace").waitFor()
      await tab.press("Tab")
      const replacing = tab.page.getByRole("dialog", { name: "Replace total by sum" })
      // Two files are others by now: what was seen is not done there, and people read that.
      await replacing.getByText("5 of 5 places in 3 files.").waitFor()
      rmSync(join(project, "gone.ts"))
      writeFileSync(join(project, "more.ts"), "console.log(total)\nconsole.log(3 * total)\n")
      await replacing.getByRole("button", { name: "Replace 5 places" }).and(tab.page.locator(":focus")).waitFor()
      await tab.press("Enter")
      await editor.says("Left out: 2 of 5 places")
      await editor.status.getByRole("button", { name: "Why" }).click()
      const leftOut = tab.page.getByRole("dialog", { name: "Left out: 2 of 5 places" })
      await leftOut.getByText("gone.ts: 1 of 1 place. It can’t be changed here.").waitFor()
      await leftOut.getByText("more.ts: 1 of 2 places. It has changed since.").waitFor()
      await leftOut.getByText("Changed: 3 places in 2 files. Nothing is saved yet.").waitFor()
      await tab.press("Escape")
      await editor.says("Suggestions by Next Edit")
      await editor.code("types.ts").and(tab.page.locator(":focus")).waitFor()
      await tab.press("Control+s")
      await onDisk(project, "types.ts", types.join("\n"))
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
      await editor.enter("use.ts")
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
      await editor.enter(".env.local")
      await tab.press("Control+End")
      await tab.page.keyboard.type("KEY")
      await editor.open("rows.ts")
      await editor.enter("rows.ts")
      await tab.press("Control+End")
      await tab.page.keyboard.type("const row")
      await editor.ghost.getByText("3 = 3", { exact: true }).waitFor()
      await tab.button("What was sent").click()
      const held = tab.page.getByRole("dialog").getByRole("row", { name: ".env.local, open in a tab now" })
      await held.getByText("It is on the list of files that are never sent (.env*).").waitFor()
      await tab.press("Escape")
      await tab.prompt("Edit it")
      await editor.says("Suggestions paused while Script edits this file")
      await editor.ghost.waitFor({ state: "detached" })
      await editor.enter("rows.ts")
      await tab.press("Alt+\\", "Control+End")
      await tab.page.keyboard.type("3 = 3")
      await tab.press("Enter")
      writeFileSync(join(project, "done"), "")
      await editor.says("Suggestions by Next Edit")
      await tab.page.keyboard.type("const row")
      await editor.ghost.getByText("4 = 4", { exact: true }).waitFor()
      // Buttons where there are no keys.
      await tab.resize({ width: 390, height: 844 })
      await tab.button("Accept").click()
      await vi.waitFor(
        async () =>
          assert.deepStrictEqual((await editor.lines("rows.ts")).slice(2), ["const row3 = 3", "const row4 = 4"]),
        { timeout: patience }
      )
      assert.strictEqual(await tab.sideways(), 0)
      await tab.resize({ width: 1440, height: 900 })
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
      await editor.says("Suggestions by Next Edit")
      await editor.enter("rows.ts")
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
      await editor.enter("rows.ts")
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
      const heard = join(alone.home, "heard.ndjson")
      alone.settle({
        agents: { stubborn: stubborn(heard, [{ ...suggestion, id: "stale", edits: [edit(80, 4)] }], [suggestion]) },
        suggestions: { provider: "stubborn", debounce: 20 }
      })
      const tab = await open(alone.link, watchPolicy)
      await tab.startThread(project)
      await tab.button("Editor").click()
      const editor = editorOf(tab)
      await editor.open("queue.ts")
      await editor.says("Suggestions by Stubborn")
      await editor.enter("queue.ts")
      // Somebody else has done it before people get there.
      await tab.press("Alt+\\")
      await editor.hint.getByText("to open other.ts, line 81").waitFor()
      await editor.hint.getByText("use(").waitFor()
      writeFileSync(join(project, "other.ts"), text.replace("use(dueAt)", "use(notBefore)"))
      await tab.press("Tab")
      await editor.says("Left out the suggested edit of this file")
      await editor.status.getByRole("button", { name: "Why" }).click()
      await tab.page.getByRole("dialog").getByText("other.ts: It has changed since.").waitFor()
      await tab.press("Escape")
      await vi.waitFor(
        () => assert.match(readFileSync(heard, "utf8"), /"nes\/reject".*"id":"stale".*"reason":"ignored"/),
        { timeout: patience }
      )
      writeFileSync(join(project, "other.ts"), text)
      await editor.code("other.ts").getByText("use(dueAt)").waitFor()
      await editor.room.getByRole("button", { name: "Close other.ts" }).click()
      await editor.enter("queue.ts")
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
      await tab.press("Alt+\\")
      await editor.says("Nothing is suggested here")
      await tab.press("ArrowLeft")
      await editor.says("Suggestions by Stubborn")
      // It is not said of another file.
      await tab.press("Alt+\\")
      await editor.says("Nothing is suggested here")
      await editor.tab("queue.ts").click()
      await editor.code("queue.ts").waitFor()
      await editor.says("Suggestions by Stubborn")
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
      // An edit that is there before the agent has the text is none that it can repeat.
      await editor.says("Suggestions by Next Edit")
      await editor.enter("queue.ts")
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
