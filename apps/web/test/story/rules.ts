/** The page of rules, held against the files and against what the command line says of them. */
import { assert, describe, vi } from "vitest"
import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { scripted } from "../support/agents.ts"
import { entry, gone, type Server } from "../support/Server.ts"
import { test } from "../support/story.ts"
import { patience, type Tab } from "../support/Tab.ts"

const stateOf = ({ home }: Server): string => join(home, "state")

/** What `signalbox rules` prints, a JSON value a line. */
const said = (server: Server, cwd: string, ...args: ReadonlyArray<string>): ReadonlyArray<Record<string, unknown>> =>
  execFileSync(process.execPath, [entry, "rules", ...args, "--json", "--cwd", cwd, "--state-dir", stateOf(server)], {
    encoding: "utf8"
  })
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

const rulesPage = async (tab: Tab) => {
  await tab.page.getByRole("link", { name: "Rules", exact: true }).click()
  const { page } = tab
  return {
    own: page.getByRole("table", { name: "Your rules" }),
    project: page.getByRole("region", { name: /^Rules of / }),
    detail: page.getByRole("complementary", { name: /^(Rule \d+|Try a command)$/ })
  }
}

const asks = (command: string) => [
  {
    permission: {
      toolCall: { toolCallId: "c", title: "Look", kind: "execute", rawInput: { command } },
      options: [
        { optionId: "yes", name: "Allow once", kind: "allow_once" },
        { optionId: "no", name: "Reject", kind: "reject_once" }
      ]
    }
  }
]

export const rules = () =>
  describe("the page of rules", () => {
    test("a rule that is added is in the file and answers requests; it is removed, and added again", async ({
      alone,
      open,
      project
    }) => {
      alone.settle({ agents: { script: scripted({}) } })
      const file = join(stateOf(alone), "rules.json")
      const tab = await open(alone.link)
      await tab.startThread(project, "Script")
      const { own } = await rulesPage(tab)
      await tab.button("Add a rule…").click()
      await tab.page.getByLabel("Effect").selectOption("deny")
      await tab.page.getByLabel("Pattern").fill("git push **")
      await tab.page.getByLabel("Why, for people").fill("By hand only")
      const shown = JSON.parse((await tab.page.locator("dialog pre").textContent()) ?? "")
      await tab.button("Add the rule").click()
      await own.getByText("command git push **").waitFor()
      assert.deepStrictEqual(shown, { effect: "deny", match: { command: "git push **" }, why: "By hand only" })
      assert.deepStrictEqual(JSON.parse(readFileSync(file, "utf8")).rules, [shown])
      const [listed] = said(alone, project, "list")
      assert.deepInclude(listed, { effect: "deny", number: 1, file, state: "in force" })
      await tab.page.getByText(`${file}:${String(listed?.["line"])}`).waitFor()

      // It answers, and the page says so.
      await tab.page.goBack()
      await tab.prompt(JSON.stringify(asks("git push origin main")))
      await tab.reads("permission no")
      await tab.page.getByRole("link", { name: "Rules", exact: true }).click()
      await own.locator("tbody tr").filter({ hasText: "git push **" }).getByText("1", { exact: true }).nth(1).waitFor()
      await tab.page.getByRole("heading", { name: "Last requests" }).waitFor()

      await tab.button("Remove the rule").click()
      await tab.page.getByText(/^Removed: deny command git push/).waitFor()
      assert.deepStrictEqual(JSON.parse(readFileSync(file, "utf8")).rules, [])
      await tab.button("Undo").click()
      await own.getByText("command git push **").waitFor()
      assert.deepStrictEqual(JSON.parse(readFileSync(file, "utf8")).rules, [shown])
    })

    test("a rule that is added without a connection is refused at once, and never added later", async ({
      alone,
      open
    }) => {
      const file = join(stateOf(alone), "rules.json")
      const tab = await open(alone.link)
      tab.expect(...gone)
      const { own } = await rulesPage(tab)
      await tab.button("Add a rule…").click()
      await tab.page.getByLabel("Pattern").fill("ls **")
      await alone.stop()
      const linked = tab.page.getByText(/^Connected, /)
      await linked.waitFor({ state: "detached" })
      await tab.button("Add the rule").click()
      await tab.page.getByText("There is no connection to the server. Nothing was changed.").waitFor()
      await alone.start()
      await linked.waitFor()
      await tab.button("Add the rule").click()
      await own.getByText("command ls **").waitFor()
      assert.strictEqual(JSON.parse(readFileSync(file, "utf8")).rules.length, 1)
    })

    test("the page follows the file: warnings, faults with their line, and the rules from before", async ({
      alone,
      open,
      project
    }) => {
      const file = join(stateOf(alone), "rules.json")
      const tab = await open(alone.link)
      const { own } = await rulesPage(tab)
      const write = (text: string) => writeFileSync(file, text, { mode: 0o600 })
      const evil = "<img src=x onerror=alert(1)>"
      const all = [
        { effect: "allow", match: { command: "**" } },
        { effect: "deny", match: { command: "ls" } },
        { effect: "allow", match: { command: "ls" }, why: evil },
        { effect: "ask", match: { tool: evil } }
      ]
      write(JSON.stringify({ rules: all }))
      await own.getByText("It allows every command, like the profile bypass.").waitFor()
      await own.getByText(/It contradicts rule 2 in line 1.*deny wins/).waitFor()
      await own.getByText(`tool ${evil}`).waitFor()
      assert.strictEqual(await tab.page.locator("main img").count(), 0)
      // They stand on one line.
      await tab.button("command ls").nth(1).click()
      await tab.page.getByRole("complementary", { name: "Rule 3" }).getByText(evil).waitFor()
      await vi.waitFor(async () =>
        assert.strictEqual(await own.locator("tbody tr").count(), said(alone, project, "list").length)
      )

      write(`{ "rules": [\n${JSON.stringify(all[0])},\n{ "effect": "perhaps", "match": {} }\n] }`)
      const faults = tab.page.getByRole("list", { name: "Faults" })
      await faults.getByText("Line 3").waitFor()
      await tab.page.getByText("4 rules from before the fault stay in force:").waitFor()
      assert.strictEqual(await own.locator("tbody tr").count(), 4)
      await tab.page.getByRole("button", { name: "Add a rule…", disabled: true }).waitFor()
    })

    test("a project's rules are shown before they are trusted, and a change takes them out of force", async ({
      alone,
      open,
      project
    }) => {
      alone.settle({ agents: { script: scripted({}) } })
      const file = join(realpathSync(project), ".signalbox", "rules.json")
      mkdirSync(join(project, ".signalbox"))
      const text = JSON.stringify({ rules: [{ effect: "deny", match: { command: "curl **" } }] })
      writeFileSync(file, text)
      const tab = await open(alone.link)
      await tab.startThread(project, "Script")
      const { detail, project: shared } = await rulesPage(tab)
      await shared.getByText("You have not trusted this project. Its rules do nothing.").waitFor()
      await shared.getByText("command curl **").waitFor()
      const trial = async (command: string, effect: string) => {
        await tab.page.getByLabel("Command to try").fill(command)
        await tab.button("Try").click()
        const verdict = detail.getByRole("status")
        await verdict.locator("p").getByText(effect, { exact: true }).waitFor()
        const [answer] = said(alone, project, "explain", "--agent", "script", "--command", command)
        assert.strictEqual(answer?.["effect"], effect)
        assert.include(await verdict.textContent(), String(answer?.["why"]))
      }
      await trial("curl x && ls", "ask")
      await tab.button("Trust these rules").click()
      await tab.button("Trust no longer").waitFor()
      // What was tried before is not what these rules say.
      await detail.getByRole("status").waitFor({ state: "detached" })
      assert.deepStrictEqual(
        said(alone, project, "list").map(({ state }) => state),
        ["in force"]
      )
      await trial("curl x && ls", "deny")
      writeFileSync(file, text.replace("curl", "wget"))
      await shared.getByText(/It has changed since you trusted it/).waitFor()
      await shared.getByText("command wget **").waitFor()
      assert.deepStrictEqual(
        said(alone, project, "list").map(({ state }) => state),
        ["not trusted"]
      )
    })

    test("a profile is chosen for an agent, and bypass only with a second word", async ({ alone, open }) => {
      alone.settle({ agents: { script: scripted({}) } })
      const tab = await open(alone.link)
      await rulesPage(tab)
      const profile = tab.page.getByRole("group", { name: "Profile of Script" })
      const inFile = () =>
        JSON.parse(readFileSync(join(stateOf(alone), "settings.json"), "utf8")).agents.script.permissions
      await profile.getByRole("button", { name: "Edits in the project" }).click()
      await profile.getByRole("button", { name: "Edits in the project", pressed: true }).waitFor()
      assert.strictEqual(inFile(), "edits")
      await profile.getByRole("button", { name: "Bypass…" }).click()
      assert.strictEqual(inFile(), "edits")
      await tab.button("Use bypass").click()
      await profile.getByRole("button", { name: "Bypass", pressed: true }).waitFor()
      await vi.waitFor(() => assert.strictEqual(inFile(), "bypass"), { timeout: patience })
    })
  })
