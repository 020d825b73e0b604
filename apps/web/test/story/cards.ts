/** What a card of an approval shows of the rules, against the command line and the disk. */
import { assert, describe } from "vitest"
import { execFileSync } from "node:child_process"
import { readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { scripted } from "../support/agents.ts"
import { gateIn } from "../support/Gate.ts"
import { entry, type Server } from "../support/Server.ts"
import { test } from "../support/story.ts"

const options = [
  { optionId: "yes", name: "Allow once", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" }
]

/** A turn in which the agent asks for a command. */
const asksFor = (command: string) => [
  { permission: { toolCall: { toolCallId: "c", title: "Work", kind: "execute", rawInput: { command } }, options } }
]

const stateOf = ({ home }: Server): string => join(home, "state")

interface Explained {
  readonly why: string
  readonly commands: ReadonlyArray<{ readonly command: string; readonly why: string; readonly effect: string }>
}

/** What `signalbox rules explain` says of a command. */
const explained = (server: Server, project: string, command: string): Explained => {
  const flags = ["--state-dir", stateOf(server), "--cwd", project, "--agent", "script", "--command", command, "--json"]
  return JSON.parse(execFileSync(process.execPath, [entry, "rules", "explain", ...flags], { encoding: "utf8" }))
}

const logOf = ({ home }: Server): string => join(home, "agent.log")

/** What the agent got, in order: the answers to its requests, and the texts of prompts. */
const received = (server: Server): ReadonlyArray<string> =>
  readFileSync(logOf(server), "utf8")
    .split("\n")
    .flatMap((line) => {
      const text = /"optionId":"(\w+)"|"type":"text","text":"([^"]*)"/.exec(line)
      return text === null ? [] : [text[1] ?? text[2] ?? ""]
    })

const settle = (
  server: Server,
  prompts: ReadonlyArray<unknown>,
  rules: ReadonlyArray<object> = [],
  more: object = {}
): void => {
  const agent = scripted({ prompts, ...more })
  server.settle({
    agents: { script: { ...agent, env: { ...agent.env, SCRIPTED_AGENT_LOG: logOf(server), SHELL: "/bin/sh" } } }
  })
  writeFileSync(join(stateOf(server), "rules.json"), JSON.stringify({ rules }, null, 2), { mode: 0o600 })
}

export const cards = () =>
  describe("a card", () => {
    test("has the verdict of each part, as rules explain has it, and where its paths lead", async ({
      alone,
      open,
      project
    }) => {
      const command = "cd src && pnpm run deploy && cat ../../secret && git push; echo $(whoami)"
      settle(
        alone,
        [asksFor(command)],
        [
          { effect: "allow", match: { command: "cd src" } },
          { effect: "ask", match: { command: "pnpm run deploy" } }
        ]
      )
      const tab = await open(alone.link)
      await tab.startThread(project, "Script")
      await tab.prompt("deploy")
      await tab.settled("Reject")
      const parts = await tab.desk.locator("ol > li").allInnerTexts()
      assert.strictEqual(parts.length, 5)
      assert.include(parts[0], "Rule 1 allows it.")
      assert.include(parts[1], "Rule 2 asks.")
      assert.include(parts[2], "Outside the project")
      assert.include(parts[2], join(realpathSync(join(project, "..")), "secret"))
      assert.include(parts[3], "May leave this machine: sends data to another machine.")
      assert.match(parts[4] ?? "", /whoami\s+No rule matches\..*echo \$\(whoami\)\s+No rule matches\./s)

      await tab.desk.getByRole("button", { name: "Why was I asked?" }).click()
      const reasons = tab.desk.getByRole("region", { name: "Why was I asked?" }).locator("li")
      const { commands } = explained(alone, project, command)
      const said = await reasons.allInnerTexts()
      assert.strictEqual(said.length, commands.length)
      for (const [index, { command, effect, why }] of commands.entries()) {
        assert.include(said[index], command)
        assert.include(said[index], { allow: "Allowed", ask: "Asks", deny: "Denied" }[effect] ?? "?")
        assert.include(said[index], why)
      }
      await tab.desk.getByText("What no rule answers is left to the profile Ask.").waitFor()
      assert.include(said[0], `${join(stateOf(alone), "rules.json")}:3`)
      await (await tab.settled("Reject")).click()
      await tab.ended("Completed")
    })

    test("says why a line can't be inspected, in the sentence of rules explain", async ({ alone, open, project }) => {
      const command = "sudo ls"
      settle(alone, [asksFor(command)])
      const tab = await open(alone.link)
      await tab.startThread(project, "Script")
      await tab.prompt("list")
      await tab.settled("Reject")
      await tab.desk
        .getByText(explained(alone, project, command).why)
        .first()
        .waitFor()
      assert.notInclude(await tab.desk.innerText(), "in full")
      await (await tab.settled("Reject")).click()
      await tab.ended("Completed")
    })

    test("changes when a link that it shows is changed, and takes no answer for the place before", async ({
      alone,
      open,
      project
    }) => {
      const link = join(project, "link")
      symlinkSync("/etc/hosts", link)
      settle(alone, [asksFor("cat link")])
      const tab = await open(alone.link)
      await tab.startThread(project, "Script")
      await tab.prompt("read")
      await tab.desk.getByText("link leads to /etc/hosts").waitFor()
      rmSync(link)
      symlinkSync("/etc/passwd", link)
      await (await tab.settled("Allow once")).click()
      await tab.desk.getByText("This request changed while it was open.").waitFor()
      await tab.desk.getByText("link leads to /etc/passwd").waitFor()
      assert.notInclude(await tab.story(), "Allowed")
      await (await tab.settled("Reject")).click()
      await tab.ended("Completed")
      await tab.reads("you chose “Reject”")
    })

    test("offers the exact rule after three like answers, and the rule answers at once, and from then on", async ({
      alone,
      open,
      project
    }) => {
      const work = [...asksFor("git diff --stat"), { text: "seen" }]
      settle(alone, [work], [{ effect: "deny", match: { command: "git push **" } }])
      const rulesFile = join(stateOf(alone), "rules.json")
      const before = readFileSync(rulesFile, "utf8")
      const tab = await open(alone.link)
      await tab.startThread(project, "Script")
      for (const turn of [1, 2, 3]) {
        await tab.prompt("look")
        await tab.settled("Allow once")
        assert.strictEqual(await tab.desk.getByText("from now on?").count(), 0)
        await tab.answer("Allow once").click()
        await tab.ended("Completed", turn)
      }
      // It counts for the agent and the folder, in another thread too.
      await tab.startThread(project, "Script")
      await tab.prompt("look")
      await tab.settled("Allow once")
      const offer = tab.desk.getByRole("region", { name: "A rule for this" })
      await offer.getByText("You allowed it 3 times in a row.").waitFor()
      await offer.getByRole("button", { name: "Look at the rule" }).click()
      await offer.getByText("It would have answered 3 of 3 requests in the last 30 days.").waitFor()
      // Looking adds nothing, and no digit does.
      await tab.press("Escape", "9")
      assert.strictEqual(readFileSync(rulesFile, "utf8"), before)
      assert.isTrue(await offer.getByLabel("This folder").isChecked())
      const shown: unknown = JSON.parse(await offer.locator("pre").innerText())
      const rule = {
        effect: "allow",
        match: { agent: "script", command: "git diff --stat" },
        scope: { workspace: realpathSync(project) }
      }
      assert.deepStrictEqual(shown, rule)
      await offer.getByRole("button", { name: "Add the rule" }).click()
      await tab.ended("Completed")
      const [first] = JSON.parse(before).rules
      assert.deepStrictEqual(JSON.parse(readFileSync(rulesFile, "utf8")).rules, [first, rule])
      await tab.reads("by rule 2")
      await tab.transcript.getByRole("button", { name: /^Allowed/ }).click()
      await tab.reads("Rule 2 allows git diff --stat.")
      await tab.reads(`${rulesFile}:`)
      await tab.prompt("look")
      await tab.ended("Completed", 2)
      assert.strictEqual(explained(alone, project, "git diff --stat").why, "Rule 2 allows git diff --stat.")
      assert.deepStrictEqual(
        received(alone).filter((text) => text === "yes"),
        ["yes", "yes", "yes", "yes", "yes"]
      )
    })

    test("is rejected with a reason, which is the agent's next prompt, before those that wait", async ({
      alone,
      open,
      project
    }) => {
      settle(alone, [asksFor("rm notes.txt"), [{ text: "I see" }], [{ text: "Later" }]])
      const tab = await open(alone.link)
      await tab.startThread(project, "Script")
      await tab.prompt("clean up")
      await tab.settled("Reject")
      await tab.prompt("and then the tests")
      await tab.press("Escape", "3")
      const field = tab.desk.getByLabel("Why, in words that Script will read")
      await tab.page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA")
      await tab.desk.getByText("This is its next prompt, when the turn has ended.").waitFor()
      // Digits and Enter belong to the text.
      await tab.page.keyboard.type("1. Keep it")
      await tab.press("Enter", "Escape")
      await tab.desk.getByRole("button", { name: "Reject and say why…" }).and(tab.page.locator(":focus")).press(" ")
      assert.strictEqual(await field.inputValue(), "1. Keep it\n")
      assert.notInclude(received(alone), "no")
      await field.press("Control+Enter")
      await tab.ended("Completed", 3)
      assert.deepStrictEqual(received(alone), ["clean up", "no", "1. Keep it", "and then the tests"])
      assert.match(await tab.story(), /Rejected.*I see.*Later/s)
      await tab.transcript.getByRole("button", { name: /^Rejected/ }).click()
      await tab.reads("You said: “1. Keep it”")
    })

    test("is rejected with a reason within the turn, where the agent takes prompts there", async ({
      alone,
      open,
      project
    }) => {
      const gate = gateIn(project)
      settle(alone, [[...asksFor("rm notes.txt"), gate.step, { text: "done" }]], [], {
        steering: { steps: [{ text: "heard" }] }
      })
      const tab = await open(alone.link)
      await tab.startThread(project, "Script")
      await tab.prompt("clean up")
      await tab.settled("Reject")
      await tab.desk.getByRole("button", { name: "Reject and say why…" }).click()
      await tab.desk.getByText("Script gets this at once, within its turn.").waitFor()
      await tab.desk.getByLabel("Why, in words that Script will read").fill("Keep it")
      await tab.desk.getByRole("button", { name: "Reject and send" }).click()
      await tab.reads("heard")
      gate.open()
      // The reason may reach the agent before the answer does, and the turn goes on with the answer.
      await tab.reads("done")
      await tab.ended("Completed")
      assert.sameMembers([...received(alone)], ["clean up", "no", "Keep it"])
      assert.notInclude(await tab.story(), "Cancelled")
    })
  })
