/** Pictures of the main states for people to look at. A machine can check one thing about them. */
import { assert, describe } from "vitest"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { keeper } from "../support/agents.ts"
import { gone } from "../support/Server.ts"
import { test } from "../support/story.ts"
import { dialogOf, invite } from "./clients.ts"
import { desktop, type Tab } from "../support/Tab.ts"

const screens = fileURLToPath(new URL("../../../../.tmp/screens", import.meta.url))

const phone = { width: 390, height: 844 }

/** No page scrolls sideways, at any width; afterwards it is as wide as a desk again. */
const fits = async (tab: Tab, state: string): Promise<void> => {
  for (const width of [320, 390, 768, 1440]) {
    await tab.resize({ width, height: 900 })
    assert.strictEqual(await tab.sideways(), 0, `${state} can be scrolled sideways at ${width} px`)
  }
}

/** `.tmp/screens/<state>-<width>-<theme>.png` */
const picture = async (tab: Tab, state: string): Promise<void> => {
  // Nothing is under the pointer.
  await tab.page.mouse.move(0, 0)
  for (const size of [desktop, phone]) {
    await tab.resize(size)
    for (const colorScheme of ["light", "dark"] as const) {
      await tab.page.emulateMedia({ colorScheme })
      await tab.page.screenshot({ path: join(screens, `${state}-${size.width}-${colorScheme}.png`) })
    }
  }
  await tab.page.emulateMedia({ colorScheme: "light" })
  await tab.resize(desktop)
}

const shows = async (tab: Tab, state: string): Promise<void> => {
  await fits(tab, state)
  await picture(tab, state)
}

export const look = () => {
  mkdirSync(screens, { recursive: true })
  describe("no state scrolls sideways", () => {
    test("agents, and one that is missing", async ({ open, withoutCursor }) => {
      const tab = await open(withoutCursor.link)
      await tab.sees("curl https://cursor.com/install -fsS | bash")
      await shows(tab, "agents")
    })

    test("clients, and a page that may only view", async ({ alone, open, openAnew, project }) => {
      const tab = await open(alone.link)
      await tab.startThread(project)
      const viewer = await openAnew(await invite(tab, "wall display", "view"))
      await viewer.sees(`Connected, ${alone.host}`)
      await invite(tab, "phone", "approve")
      const dialog = await dialogOf(tab)
      await dialog.getByText("connected · here within the hour").waitFor()
      await dialog.getByRole("button", { name: "Invite", exact: true }).click()
      await dialog.locator("output code").waitFor()
      await picture(tab, "clients")
      await dialog.getByRole("button", { name: "Close" }).click()
      await tab.resize(phone)
      await tab.page.getByRole("button", { name: /^Threads/ }).click()
      await dialogOf(tab)
      await dialog.getByText("wall display").waitFor()
      assert.strictEqual(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth), 0)
      for (const colorScheme of ["light", "dark"] as const) {
        await tab.page.emulateMedia({ colorScheme })
        await tab.page.screenshot({ path: join(screens, `clients-phone-${colorScheme}.png`) })
      }
      await dialog.getByRole("button", { name: "Close" }).click()
      await tab.resize(desktop)
      await tab.prompt("run `pwd`")
      await viewer.page.goto(tab.page.url())
      await viewer.desk.getByText("This needs the scope approve").waitFor()
      await shows(viewer, "view-only")
    })

    test("work, an approval, a summary", async ({ open, project, server }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      await tab.prompt("Show me a demo")
      await tab.settled("Allow once")
      await shows(tab, "approval")
      await tab.resize(phone)
      const answers = await tab.desk.locator("article fieldset button").all()
      const boxes = await Promise.all(answers.map((answer) => answer.boundingBox()))
      const sizes = new Set(boxes.map((box) => `${Math.round(box?.width ?? 0)} × ${Math.round(box?.height ?? 0)}`))
      assert.strictEqual(boxes.length, 3)
      assert.strictEqual(sizes.size, 1, `answers weigh differently: ${[...sizes].join(", ")}`)
      await tab.resize(desktop)
      await tab.answer("Allow once").click()
      await tab.ended("Completed")
      await shows(tab, "completed")
    })

    test("a question, a plan, a queue", async ({ open, project, server }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      await tab.prompt("ask me several things")
      await tab.settled("Skip")
      await shows(tab, "question")
      await tab.answer("Skip").click()
      await tab.ended("Completed")
      await tab.prompt("make a plan")
      await tab.settled("Accept")
      await tab.prompt("Then write the tests, and keep them short")
      await shows(tab, "plan")
    })

    test("a crash, and a turn that was stopped", async ({ open, project, server }) => {
      const tab = await open(server.link)
      await tab.startThread(project)
      await tab.prompt("[[fake:crash code=1]]")
      await tab.ended("Failed")
      await shows(tab, "crash")
      await tab.hang()
      await shows(tab, "working")
      await tab.press("Control+.")
      await tab.ended("Cancelled")
      await shows(tab, "cancelled")
    })

    test("a sign-in, sessions that an agent keeps, what is attached and queued", async ({ alone, open, project }) => {
      const kept = Array.from({ length: 12 }, (_, index) => ({
        sessionId: `s${index}`,
        cwd: `${project}/${"deep/".repeat(index)}`,
        title: index % 3 === 0 ? "" : `Session ${index} with a title of some length`
      }))
      writeFileSync(join(alone.home, "keeper.json"), JSON.stringify({ sessions: kept }))
      const authMethods = [
        { id: "web", name: "In the browser", description: "Opens a page in your browser." },
        { type: "terminal", id: "code", name: "By a code", args: ["login"] },
        {
          type: "env_var",
          id: "key",
          name: "By a key",
          vars: [{ name: "KEEPER_KEY" }],
          link: "https://keeper.example/keys"
        }
      ]
      const offers = { session: { list: {}, delete: {}, archive: {}, title: {} } }
      alone.settle({ agents: { keeper: keeper(alone, { authMethods, offers, wantsLogin: ["session/new"] }) } })
      const tab = await open(alone.link)
      await tab.button("Sessions of Keeper…").click()
      await tab.sees("12 sessions")
      await shows(tab, "sessions")
      await tab.press("Escape")
      await tab.startThread(project, "Keeper")
      await tab.desk.getByRole("button", { name: "Sign in: By a code" }).waitFor()
      await shows(tab, "sign-in")
      await tab.desk.getByRole("button", { name: "Sign in: By a code" }).click()
      await tab.desk.getByText("Code:").waitFor()
      await shows(tab, "sign-in-terminal")
      await tab.desk.getByRole("button", { name: "Cancel" }).click()
      await tab.startThread(project)
      await tab.hang()
      await tab.prompt(`First of them, ${"and a good deal more of it ".repeat(8)}`)
      await tab.prompt("Second of them")
      await tab.desk.locator("input[type=file]").setInputFiles([
        { name: "a-recording.wav", mimeType: "audio/wav", buffer: Buffer.from("RIFF") },
        { name: "notes.md", mimeType: "text/markdown", buffer: Buffer.from("# Notes") }
      ])
      await tab.composer.fill("Listen to this")
      await tab.sees("takes no sound: this is left out")
      await shows(tab, "queue")
      await tab.press("Control+.")
    })

    test("how the server is, a thread to be deleted, a server that is away", async ({ alone, open, project }) => {
      const tab = await open(alone.link)
      tab.expect(...gone)
      await tab.startThread(project)
      await tab.hang()
      await tab.button(/^Health: /).click()
      await tab.page.getByRole("region", { name: "Health" }).getByText("working,").waitFor()
      await shows(tab, "health")
      await tab.press("Escape")
      await tab.button("More about this thread").click()
      await tab.button("Delete…").click()
      await tab.page.getByRole("dialog").getByText("A turn is going on.").waitFor()
      await shows(tab, "delete")
      await tab.button("Keep it").click()
      await alone.crash()
      await tab.nowLine.getByText("Not connected").waitFor()
      await shows(tab, "away")
      await alone.start()
      await tab.ended("Lost")
      await shows(tab, "lost")
    })
  })
}
