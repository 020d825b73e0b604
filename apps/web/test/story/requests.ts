/** The requests of an agent, and the answers that it gets. */
import { assert, describe, vi } from "vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { scripted } from "../support/agents.ts"
import { gateIn } from "../support/Gate.ts"
import { openHeldBack } from "../support/HeldBack.ts"
import { test } from "../support/story.ts"
import { patience, simulated, type Tab } from "../support/Tab.ts"

const wantsToRun = `${simulated} wants to run a command`

/** Waits until both pages have drawn the same. */
const sameStory = (one: Tab, two: Tab): Promise<void> =>
  vi.waitFor(async () => assert.strictEqual(await two.story(), await one.story()), { timeout: patience })

/** Answers a card in the moment in which it appears, and notes for how long its buttons do nothing. Runs in the page. */
const pounce = () => {
  let appeared = 0
  const observer = new MutationObserver(() => {
    const button = document.querySelector<HTMLButtonElement>('[aria-label="Desk"] article fieldset button')
    if (button === null) return
    if (appeared === 0) appeared = performance.now()
    if (button.getAttribute("aria-disabled") === "true") button.click()
    else {
      observer.disconnect()
      document.documentElement.dataset["inertFor"] = String(performance.now() - appeared)
    }
  })
  observer.observe(document.body, { subtree: true, childList: true, attributes: true })
}

export const requests = () =>
  describe("a request", () => {
    test("a command is allowed by a click on the agent's own word", async ({ open, project, server }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      await tab.prompt("run `pwd`")
      const card = tab.asked(wantsToRun)
      await card.getByText("pwd", { exact: true }).first().waitFor()
      await card.getByText(project, { exact: true }).waitFor()
      await card.getByText(`${simulated} says, in its own words. Not checked.`).waitFor()
      await (await tab.settled("Allow once")).click()
      await tab.ended("Completed")
      await tab.reads("you chose “Allow once”")
      await tab.reads("exit 0")
      assert.strictEqual(await card.count(), 0)
      assert.include(await tab.story(), project)
    })

    test("a command is rejected by its key, and said to be rejected", async ({ open, project, server }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      await tab.prompt("run `pwd`")
      await tab.settled("Reject")
      await tab.press("Escape", "3")
      await tab.ended("Completed")
      await tab.reads("you chose “Reject”")
      await tab.reads("Wanted to run")
      await tab.reads("The command was blocked, so I did not run it.")
    })

    test("a rejected edit is shown as not done, counted nowhere, and the file is as it was", async ({
      agent,
      open,
      project
    }) => {
      const path = join(project, "notes.txt")
      const diff = { type: "diff", path, oldText: "two\n", newText: "2\n" }
      const call = (toolCallId: string) => ({ toolCallId, title: "Edit notes.txt", kind: "edit", rawInput: { path } })
      const asked = (toolCallId: string) => ({
        permission: {
          toolCall: { ...call(toolCallId), content: [diff] },
          options: [
            { optionId: "yes", name: "Allow once", kind: "allow_once" },
            { optionId: "no", name: "Reject", kind: "reject_once" }
          ]
        },
        on: { cancelled: [{ stop: "cancelled" }] }
      })
      const update = (sessionUpdate: string, fields: object) => ({ update: { sessionUpdate, ...fields } })
      const prompts = [
        [
          update("tool_call", { ...call("a"), status: "in_progress", content: [diff] }),
          asked("a"),
          // The agent calls it completed all the same, with the diff that it wanted.
          update("tool_call_update", { toolCallId: "a", status: "completed", content: [diff] })
        ],
        [update("tool_call", { ...call("b"), status: "in_progress", content: [diff] }), asked("b")]
      ]
      agent.settle(scripted({ prompts }))
      const tab = await open(agent.server.link)
      await tab.startThread(project, agent.name)
      await tab.prompt("edit it")
      await (await tab.settled("Reject")).click()
      await tab.ended("Completed")
      const story = await tab.story()
      assert.match(story, /Wanted to edit.*notes\.txt.*rejected/s)
      assert.notMatch(story, /Edited|\+1|1 file/)
      await tab.transcript.getByRole("button", { name: /^Wanted to edit/ }).click()
      await tab.transcript.getByText("not applied", { exact: true }).waitFor()
      assert.strictEqual(readFileSync(path, "utf8"), "one\ntwo\nthree\n")

      // A request that Stop leaves open has the same report as a rejected one.
      await tab.prompt("once more")
      await tab.settled("Reject")
      await tab.press("Control+.")
      await tab.ended("Cancelled")
      assert.match(await tab.story(), /Wanted to edit.*Wanted to edit.*notes\.txt.*cancelled/s)
      assert.notMatch(await tab.story(), /Edited|Was editing|\+1|1 file/)
      assert.strictEqual(readFileSync(path, "utf8"), "one\ntwo\nthree\n")
    })

    test("parts that nobody understands are named with what hides in their names, and a flood of them is counted", async ({
      agent,
      open,
      project
    }) => {
      const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, "x"]))
      const rawInput = { command: "ls", "com\u200bmand": "rm -rf /", ...many }
      const options = [{ optionId: "no", name: "Reject\u202e", kind: "reject_once" }]
      const toolCall = { toolCallId: "c", title: "List", kind: "execute", rawInput }
      agent.settle(scripted({ prompts: [[{ permission: { toolCall, options } }]] }))
      const tab = await open(agent.server.link)
      await tab.startThread(project, agent.name)
      await tab.prompt("list it")
      // A pattern: the glyph stands for itself.
      const button = await tab.settled("Reject ?U.202E")
      await tab.desk.getByText("4,901 more parts").waitFor()
      const names = await tab.desk.locator("dt").allTextContents()
      assert.include(names, "comU+200Bmand")
      assert.isBelow(names.length, 110)
      await button.click()
      await tab.ended("Completed")
    })

    test("a request that changes is drawn anew, says what changed, is inert again, and refuses what was clicked before", async ({
      agent,
      open,
      project
    }) => {
      const toolCall = { toolCallId: "c", title: "List", kind: "execute", rawInput: { command: "ls" } }
      const options = [
        { optionId: "yes", name: "Allow once", kind: "allow_once" },
        { optionId: "no", name: "Reject", kind: "reject_once" }
      ]
      const update = (fields: object) => ({ update: { sessionUpdate: "tool_call_update", toolCallId: "c", ...fields } })
      const [title, input] = [gateIn(project), gateIn(project)]
      const changes = [
        title.step,
        update({ title: "Nothing much", status: "in_progress", locations: [{ path: "/etc" }] }),
        { text: "titled " },
        input.step,
        update({ rawInput: { command: "rm -rf /" } }),
        { text: "changed " }
      ]
      agent.settle(scripted({ prompts: [[{ together: [[{ permission: { toolCall, options } }], changes] }]] }))
      const one = await open(agent.server.link)
      await one.startThread(project, agent.name)
      const { hold, refusal, release, tab: two } = await openHeldBack(open, agent.server.link)
      await two.page.goto(one.page.url())
      await one.prompt("list it")
      const button = await one.settled("Allow once")
      await two.settled("Allow once")
      await button.evaluate((element) => (element.dataset["before"] = "yes"))
      title.open()
      await one.reads("titled")
      // Another title is no other request: the same card, and it takes answers.
      assert.strictEqual(await button.getAttribute("data-before"), "yes")
      assert.isNull(await button.getAttribute("aria-disabled"))

      hold()
      await one.page.evaluate(() => {
        const observer = new MutationObserver(() => {
          const anew = document.querySelector<HTMLElement>('[aria-label="Desk"] article fieldset button')
          if (anew === null || anew.dataset["before"] !== undefined) return
          observer.disconnect()
          document.documentElement.dataset["anew"] = anew.getAttribute("aria-disabled") ?? "takes answers"
        })
        observer.observe(document.body, { subtree: true, childList: true })
      })
      input.open()
      await one.reads("changed")
      await one.desk.getByRole("alert").getByText("This request changed while it was open.").waitFor()
      await one.desk.getByText(/changed the input and where its paths lead\./).waitFor()
      assert.strictEqual(await one.page.locator("html").getAttribute("data-anew"), "true")
      assert.include(await one.desk.textContent(), "rm -rf /")

      // The other page has not heard of it yet.
      await two.answer("Allow once").click()
      await refusal
      release()
      await two.desk.getByRole("heading", { name: "The request changed after you read it" }).waitFor()
      assert.notInclude(await one.story(), "permission")
      await (await one.settled("Reject")).click()
      await one.ended("Completed")
      await one.reads("you chose “Reject”")
      await one.reads("permission no")
      await one.transcript.getByRole("button", { name: /^Rejected/ }).click()
      await one.transcript.getByText(/Answered on the page [0-9a-f]{8}\./).waitFor()
    })

    test("answers do nothing for half a second, and Enter never answers", async ({ open, project, server }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      await tab.page.evaluate(pounce)
      await tab.prompt("run `pwd`")
      await tab.page.locator("[data-inert-for]").waitFor({ state: "attached" })
      const inertFor = Number(await tab.page.locator("html").getAttribute("data-inert-for"))
      assert.isAtLeast(inertFor, 450)
      await tab.press("Enter")
      await (await tab.settled("Allow once")).press("Enter")
      await tab.answer("Allow always").press("Enter")
      // Had any of that been an answer, this one would come too late.
      await tab.answer("Reject").press(" ")
      await tab.ended("Completed")
      await tab.reads("you chose “Reject”")
      assert.notInclude(await tab.story(), "you chose “Allow")
    })

    test("a question is answered with the agent's options", async ({ open, project, server }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      await tab.prompt("ask me several things")
      await tab.asked(`${simulated} asks`).getByLabel("Casual").check()
      await tab.asked(`${simulated} asks`).getByLabel("Examples").check()
      await tab.asked(`${simulated} asks`).getByLabel("Tests").check()
      await (await tab.settled("Answer")).click()
      await tab.ended("Completed")
      assert.include(await tab.story(), "Which parts do you want? Examples, Tests")
      await tab.reads("Answered")
    })

    test("a question is skipped", async ({ open, project, server }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      await tab.prompt("ask me")
      await (await tab.settled("Skip")).click()
      await tab.reads("You skipped the question.")
      await tab.ended("Completed")
    })

    test("a plan is accepted", async ({ open, project, server }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      await tab.prompt("make a plan")
      await tab.asked(`${simulated} proposes a plan`).getByText("Cover it with a test").first().waitFor()
      await (await tab.settled("Accept")).click()
      await tab.reads("The plan is accepted.")
      await tab.reads("Plan accepted")
      await tab.ended("Completed")
    })

    test("a plan is rejected, with a reason", async ({ open, project, server }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      await tab.prompt("make a plan")
      await (await tab.settled("Reject…")).click()
      await tab.asked(`${simulated} proposes a plan`).getByLabel(/^Why/).fill("Too early")
      await (await tab.settled("Reject")).click()
      await tab.reads("Revising the plan. What should be different?")
      await tab.transcript.getByRole("button", { name: /^Plan rejected/ }).click()
      await tab.reads("You said: “Too early”")
      await tab.ended("Completed")
      // Nobody works by it: it is not the plan of the thread.
      assert.strictEqual(await tab.page.getByRole("heading", { name: /^Plan \d/ }).count(), 0)
      assert.notMatch(await tab.story(), /of 2 done/)
    })

    test("two pages show the same, and an answer in one closes the card in the other", async ({
      open,
      project,
      server
    }) => {
      const one = await open(server.link)
      await one.startThread(project)
      const two = await open(server.link)
      await two.page.goto(one.page.url())
      await one.prompt("run `pwd`")
      await two.settled("Allow once")
      await one.settled("Allow once")
      await sameStory(one, two)
      await (await one.settled("Allow once")).click()
      await two.ended("Completed")
      assert.strictEqual(await two.asked(wantsToRun).count(), 0)
      await one.ended("Completed")
      await sameStory(one, two)
    })

    test("an answer that comes too late is refused, and the one who gave it is told", async ({
      open,
      project,
      server
    }) => {
      const one = await open(server.link)
      await one.startThread(project)
      const { hold, refusal, release, tab: two } = await openHeldBack(open, server.link)
      await two.page.goto(one.page.url())
      await one.prompt("run `pwd`")
      await two.settled("Reject")
      hold()
      await (await one.settled("Allow once")).click()
      await one.ended("Completed")
      await two.answer("Reject").click()
      await refusal
      release()
      await two.ended("Completed")
      await two.desk.getByText("Your answer was not taken").waitFor()
      await two.reads("you chose “Allow once”")
      assert.notInclude(await two.story(), "you chose “Reject”")
    })
  })
