/** The parts of every chapter: one browser, servers that start when they are first needed, and folders to work in. */
import type { BrowserContext, Page } from "playwright-core"
import { assert, type RunnerTask, test as plain } from "vitest"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { tellShown } from "../../../../scripts/suite/Shown.ts"
import { scripted } from "./agents.ts"
import { launchChromium } from "./Chromium.ts"
import { OwnAgent } from "./OwnAgent.ts"
import { Server, type ServerOptions } from "./Server.ts"
import { newBrowserContext, Tab } from "./Tab.ts"

/** A small project: something to read, to search and to change. */
const makeProject = (parent: string): string => {
  const folder = mkdtempSync(join(parent, "project-"))
  mkdirSync(join(folder, "src"))
  mkdirSync(join(folder, ".git"))
  writeFileSync(join(folder, "README.md"), "# Greeter\n\nSays hello.\n\nTODO: say goodbye.\n")
  writeFileSync(join(folder, "notes.txt"), "one\ntwo\nthree\n")
  writeFileSync(join(folder, "src", "greet.ts"), "export const greet = (name: string) => `Hello, ${name}`\n")
  return folder
}

const quirks = "cancel_notification_ignored,stdout_noise,stderr_flood,set_model_auto_only"

type OnCleanup = (cleanup: () => Promise<void>) => void

/** Starts a server, and ends it after the last test that has it. What its agents leave behind fails the file. */
const serve = async (parent: string, options: ServerOptions, onCleanup: OnCleanup): Promise<Server> => {
  const server = await Server.start(parent, options)
  onCleanup(async () => {
    assert.deepStrictEqual(await server.stop(), [], "processes of agents are left")
  })
  return server
}

/** Opens pages, and closes them after the test. A page on which the browser had to complain fails it. */
const opener = (context: BrowserContext, task: RunnerTask, onCleanup: OnCleanup) => {
  const tabs: Array<Tab> = []
  onCleanup(async () => {
    await tellShown(task, () => tabs.map(({ page }) => page))
    const complaints = tabs.flatMap((tab) => tab.complaints())
    await Promise.all(tabs.map((tab) => tab.close()))
    assert.deepStrictEqual(complaints, [], "the browser complained")
  })
  return async (address: string, before?: (page: Page) => Promise<void>): Promise<Tab> => {
    const tab = await Tab.open(context, address, before)
    tabs.push(tab)
    return tab
  }
}

export const test = plain
  .extend("temporary", { scope: "file" }, tmpdir())
  .extend("workshop", { scope: "file" }, ({ temporary }, { onCleanup }) => {
    const folder = mkdtempSync(join(temporary, "signalbox-story-"))
    onCleanup(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
    return folder
  })
  .extend("browser", { scope: "file" }, async ({ workshop }, { onCleanup }) => {
    const browser = await launchChromium(workshop)
    onCleanup(() => browser.close())
    return browser
  })
  .extend("context", { scope: "file" }, ({ browser }) => newBrowserContext(browser))
  /** Cursor is in its `PATH`, and behaves. */
  .extend("server", { scope: "file" }, ({ workshop }, { onCleanup }) => serve(workshop, { cursor: true }, onCleanup))
  /**
   * Its Cursor does not hear Stop, and takes one model only. It prints garbage between its messages and a megabyte of errors with each
   * prompt.
   */
  .extend("difficult", { scope: "file" }, ({ workshop }, { onCleanup }) =>
    serve(workshop, { cursor: true, quirks }, onCleanup)
  )
  /** Its Cursor runs whatever command it is asked to, and loses no time. */
  .extend("swift", { scope: "file" }, ({ workshop }, { onCleanup }) =>
    serve(workshop, { cursor: true, quirks: "allow_exec", env: { FAKE_CURSOR_TIME_SCALE: "0" } }, onCleanup)
  )
  /** Its agent writes one paragraph after the other until it is stopped. */
  .extend("writing", { scope: "file" }, async ({ workshop }, { onCleanup }) => {
    const server = await serve(workshop, {}, onCleanup)
    const paragraph = { text: "This is paragraph {i}, and another one comes soon.\n\n" }
    const prompts = [[{ repeat: 20_000, steps: [paragraph, { wait: 30 }] }]]
    server.settle({ agents: { script: scripted({ prompts }) } })
    return server
  })
  .extend("withoutCursor", { scope: "file" }, ({ workshop }, { onCleanup }) => serve(workshop, {}, onCleanup))
  .extend("loggedOut", ({ workshop }, { onCleanup }) =>
    serve(workshop, { cursor: true, env: { FAKE_CURSOR_AUTH: "none" } }, onCleanup)
  )
  /** Each test that has it brings an agent of its own. There are threads of other tests. */
  .extend("common", { scope: "file" }, ({ workshop }, { onCleanup }) => serve(workshop, {}, onCleanup))
  /** An agent of one test alone, on `common`. */
  .extend("agent", ({ common }, { onCleanup }) => {
    const agent = OwnAgent.on(common)
    onCleanup(() => agent.leave())
    return agent
  })
  /** A server of one test alone, which may end it, change its settings, or count all that is there. */
  .extend("alone", ({ workshop }, { onCleanup }) => serve(workshop, { cursor: true }, onCleanup))
  /** A folder of its own for each test. */
  .extend("project", ({ workshop }) => makeProject(workshop))
  /** Opens pages of the browser that all tests share. */
  .extend("open", ({ context, task }, { onCleanup }) => opener(context, task, onCleanup))
  /** Opens pages of a browser that has been nowhere yet. */
  .extend("openAnew", async ({ browser, task }, { onCleanup }) =>
    opener(await newBrowserContext(browser), task, onCleanup)
  )
