/** What an agent has people fill in and open, and what it has Signalbox run and write. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe } from "vitest"
import { scripted } from "../support/agents.ts"
import { test } from "../support/story.ts"

const ask = (method: string, params: object) => ({ request: { method, params } })

const form = ask("elicitation/create", {
  mode: "form",
  message: "How shall it be deployed?",
  requestedSchema: {
    title: "Deployment",
    properties: {
      name: { type: "string", title: "Name", minLength: 2, default: "blog" },
      region: {
        type: "string",
        title: "Region",
        oneOf: [
          { const: "eu", title: "Europe" },
          { const: "us", title: "America", description: "costs more" }
        ]
      },
      copies: { type: "integer", title: "Copies", minimum: 1, maximum: 5 },
      loud: { type: "boolean", title: "Loud" },
      tags: { type: "array", title: "Tags", items: { type: "string", enum: ["fast", "cheap"] } },
      colour: { type: "_colour" }
    },
    required: ["name", "region", "copies"]
  }
})

const address = (url: string) =>
  ask("elicitation/create", { mode: "url", message: "Sign in to go on", url, elicitationId: "e1" })

export const services = () =>
  describe("an agent that asks for more", () => {
    test("[104][107] has a form filled in: what is wrong is said, and it gets what stood there", async ({
      agent,
      open,
      project
    }) => {
      agent.settle(scripted({ prompts: [[form], [form]] }))
      const tab = await open(agent.server.link)
      await tab.startThread(project, agent.name)
      await tab.prompt("deploy")
      const card = tab.asked(`${agent.name} asks you to fill in a form`)
      await card.getByText("How shall it be deployed?").waitFor()
      await card.getByText("colour (_colour)").waitFor()
      assert.strictEqual(await card.getByLabel("Name").inputValue(), "blog")
      await card.getByLabel("Copies").fill("9")
      // What was typed is still there when one has been elsewhere.
      await tab.page.goBack()
      await card.waitFor({ state: "detached" })
      await tab.page.goForward()
      assert.strictEqual(await card.getByLabel("Copies").inputValue(), "9")
      await (await tab.settled("Send")).click()
      await card.getByText("It has to be at most 5.").waitFor()
      await card.getByText("It is needed.").waitFor()
      await card.getByText("2 fields not yet right").waitFor()
      // The first that is wrong has the focus.
      await card.getByLabel("Europe").and(tab.page.locator(":focus")).waitFor()
      await tab.press(" ")
      await card.getByLabel("Copies").fill("2")
      await card.getByLabel("Yes").check()
      await card.getByRole("button", { name: "Choose none" }).click()
      await card.getByLabel("cheap").check()
      await (await tab.settled("Send")).click()
      await tab.ended("Completed")
      assert.include(await tab.story(), '"content":{"name":"blog","region":"eu","copies":2,"tags":["cheap"]}')
      await tab.transcript.getByRole("button", { name: /^Filled in/ }).click()
      assert.include(await tab.story(), "Region Europe")
      await tab.prompt("again")
      await (await tab.settled("Decline")).click()
      await tab.ended("Completed", 2)
      assert.include(await tab.story(), '"action":"decline"')
      await tab.reads("Form declined")
    })

    test("[105] has an address opened by a person: its site and all of it are shown before, and warned of", async ({
      agent,
      open,
      project
    }) => {
      const done = { notify: { method: "elicitation/complete", params: { elicitationId: "e1" } } }
      const local = `${agent.server.url}/nowhere?from=agent`
      const prompts = [[address("https://google.com@xn--80ak6aa92e.com/login?next=1")], [address(local), done]]
      agent.settle(scripted({ prompts }))
      const tab = await open(agent.server.link)
      await tab.startThread(project, agent.name)
      await tab.prompt("sign in")
      const card = tab.asked(`${agent.name} asks you to open an address`)
      await card.getByText("xn--80ak6aa92e.com", { exact: true }).waitFor()
      await card.getByText("https://google.com@xn--80ak6aa92e.com/login?next=1", { exact: true }).waitFor()
      await card.getByText("in other letters than the Latin ones").waitFor()
      await card.getByText("What stands before the @ is no site").waitFor()
      // Nothing on it leads there but the button.
      assert.strictEqual(await card.getByRole("link").count(), 0)
      await (await tab.settled("Decline")).click()
      await tab.ended("Completed")
      assert.include(await tab.story(), '"action":"decline"')
      await tab.prompt("sign in here")
      const opened = tab.page.waitForEvent("popup")
      await (await tab.settled(`Open ${agent.server.host}`)).click()
      const popup = await opened
      assert.strictEqual(popup.url(), local)
      assert.isNull(await popup.evaluate(() => window.opener))
      await popup.close()
      await tab.ended("Completed", 2)
      assert.include(await tab.story(), '"action":"accept"')
      await tab.reads(/^by you, done /)
    })

    test("[106] is answered before it has a session", async ({ agent, open, project }) => {
      const early = ask("elicitation/create", {
        mode: "form",
        message: "Which team?",
        requestId: 1,
        requestedSchema: { properties: { team: { type: "string", title: "Team" } }, required: ["team"] }
      })
      agent.settle(scripted({ beforeNewSession: [early] }))
      const tab = await open(agent.server.link)
      await tab.startThread(project, agent.name)
      const card = tab.asked(`${agent.name} asks you to fill in a form, before it can start`)
      await card.getByLabel("Team").fill("blue")
      await (await tab.settled("Send")).click()
      await tab.nowLine.getByText("Ready").waitFor()
      await tab.prompt("hello")
      await tab.ended("Completed")
    })

    test("[100] sees what it runs in a terminal while it runs, and what is written for it", async ({
      agent,
      open,
      project
    }) => {
      const go = join(project, "go")
      const command = `printf '\\033[31mred\\033[0m plain\\n'; while [ ! -e '${go}' ]; do sleep 0.05; done; echo over; exit 3`
      const script = [
        ask("terminal/create", { command }),
        {
          update: {
            sessionUpdate: "tool_call",
            toolCallId: "c1",
            title: "Watch it",
            kind: "execute",
            status: "in_progress",
            content: [
              { type: "terminal", terminalId: "{terminal:1}" },
              { type: "terminal", terminalId: "never-was" }
            ]
          }
        },
        ask("terminal/wait_for_exit", { terminalId: "{terminal:1}" }),
        { update: { sessionUpdate: "tool_call_update", toolCallId: "c1", status: "completed" } },
        ask("fs/write_text_file", { path: join(project, "made.txt"), content: "by hand" })
      ]
      agent.settle({ ...scripted({ prompts: [script] }), terminals: true, files: "write" })
      const tab = await open(agent.server.link)
      await tab.startThread(project, agent.name)
      await tab.prompt("run it")
      await tab.transcript.locator('[data-colour="red"]', { hasText: "red" }).waitFor()
      await tab.transcript.locator('[data-terminal="running"]').waitFor()
      await tab.reads("tells nothing of this terminal")
      assert.notInclude(await tab.story(), "over Ended")
      writeFileSync(go, "")
      await tab.reads("Ended with exit code 3")
      await tab.reads(/^over$/m)
      await tab.ended("Completed")
      await tab.reads("exit 3")
      await tab.reads("made.txt")
      await tab.reads(new RegExp(`7 bytes, written by Signalbox because ${agent.name} asked for it`))
      assert.isTrue(existsSync(join(project, "made.txt")))
      assert.strictEqual(readFileSync(join(project, "made.txt"), "utf8"), "by hand")
    })

    test("shows what it runs in a terminal of its own, and how calls end", async ({ agent, open, project }) => {
      const update = (sessionUpdate: string, more: object) => ({ update: { sessionUpdate, toolCallId: "c1", ...more } })
      const printed = (data: string) => ({ terminal_output_delta: { terminal_id: "c1", data } })
      const script = [
        update("tool_call", {
          title: "pnpm test",
          kind: "execute",
          status: "in_progress",
          rawInput: { command: "pnpm test" },
          content: [{ type: "terminal", terminalId: "c1" }],
          _meta: { terminal_info: { terminal_id: "c1", cwd: join(project, "packages") } }
        }),
        update("tool_call_update", { _meta: printed("first line\n") }),
        {
          permission: {
            toolCall: { toolCallId: "c2", title: "Go on" },
            options: [{ optionId: "y", name: "Go on", kind: "allow_once" }]
          }
        },
        update("tool_call_update", {
          name: "exec_command",
          status: "completed",
          _meta: { ...printed("second line\n"), terminal_exit: { terminal_id: "c1", exit_code: 3, signal: null } }
        }),
        {
          update: {
            sessionUpdate: "tool_call",
            toolCallId: "c3",
            title: "sleep",
            kind: "execute",
            status: "in_progress"
          }
        }
      ]
      agent.settle(scripted({ prompts: [script] }))
      const tab = await open(agent.server.link)
      await tab.startThread(project, agent.name)
      await tab.prompt("test it")
      await tab.transcript.locator('[data-terminal="running"]').waitFor()
      await tab.reads("first line")
      await (await tab.settled("Go on")).click()
      await tab.ended("Completed")
      await tab.reads("Ended with exit code 3")
      await tab.reads(/second line/)
      await tab.reads("In packages")
      const story = await tab.story()
      assert.notInclude(story, "exec_command")
      assert.notInclude(story, "tells nothing")
      assert.include(story, "exit 3")
      assert.match(story, /Was running a command.*ended/s)
      assert.notInclude(story, "not finished")
    })
  })
