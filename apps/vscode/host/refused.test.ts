import { afterEach, assert, describe, it } from "vitest"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { WebSocketServer } from "ws"
import { tellShown } from "../../../scripts/suite/Shown.ts"
import { Bench, ChatWindow, extensionFolder, missing, ownCommand } from "./Bench.ts"

describe.skipIf(missing !== undefined)("a window without what the chat needs", () => {
  let bench: Bench | undefined
  let window: ChatWindow | undefined

  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") await window?.photograph(task.name)
    await tellShown(task, () => window?.documents() ?? [])
    await bench?.close()
    bench = undefined
  })

  const open = async (
    options: Parameters<typeof Bench.open>[0],
    prepare?: (bench: Bench) => void
  ): Promise<ChatWindow> => {
    bench = await Bench.open(options)
    prepare?.(bench)
    window = await bench.window()
    await window.go("Signalbox")
    return window
  }

  it("names a program that is not there, and goes on when it is", async () => {
    const program = join(mkdtempSync(join(tmpdir(), "signalbox-program-")), "signalbox")
    const opened = await open({ settings: { "signalbox.command": [program] } })
    const chat = await opened.chat("section")
    await chat.getByText("was not found on this machine").waitFor()
    assert.isUndefined(bench?.server())
    writeFileSync(program, `#!/bin/sh\nexec ${ownCommand.join(" ")} "$@"\n`, { mode: 0o755 })
    await chat.getByRole("button", { name: "Try now" }).click()
    const started = await opened.chat("h2")
    await started.getByRole("heading", { name: "New thread in ledger" }).waitFor()
    rmSync(dirname(program), { recursive: true })
  })

  it("says that no server runs where none may be started", async () => {
    const opened = await open({ settings: { "signalbox.startServer": false } })
    const chat = await opened.chat("section")
    await chat.getByText("The setting signalbox.startServer is off").waitFor()
    assert.isUndefined(bench?.server())
  })

  it("starts nothing in a folder that the person has not trusted, whatever its settings name", async () => {
    const opened = await open({ trustIsAsked: true }, ({ folder, home }) => {
      mkdirSync(join(folder, ".vscode"))
      const evil = { "signalbox.command": ["touch", join(home, "was-started")], "signalbox.startServer": true }
      writeFileSync(join(folder, ".vscode", "settings.json"), JSON.stringify(evil))
    })
    const chat = await opened.chat("section")
    await chat.getByText("This window has not been told to trust its folder").waitFor()
    assert.isUndefined(bench?.server())
  })

  it("has words for a server of another version, with both versions", async () => {
    const http = createServer((_, response) => response.end("{}"))
    const sockets = new WebSocketServer({ server: http, path: "/rpc" })
    sockets.on("connection", (socket) =>
      socket.on("message", (data) => {
        const { id } = JSON.parse((Buffer.isBuffer(data) ? data.toString() : "").split("\n")[0] ?? "{}")
        const value = {
          name: "signalbox",
          version: "9.9.9",
          protocolVersion: 99,
          bootId: "0123abcd",
          cwd: "/",
          home: "/",
          now: Date.now(),
          client: { id: "0123abcd", kind: "program", scope: "admin" }
        }
        if (id !== undefined)
          socket.send(`${JSON.stringify({ _tag: "Exit", requestId: id, exit: { _tag: "Success", value } })}\n`)
      })
    )
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
    const address = http.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const opened = await open({}, ({ state }) =>
      writeFileSync(
        join(state, "server.json"),
        JSON.stringify({ url: `http://127.0.0.1:${port}`, pid: process.pid, token: "t" })
      )
    )
    try {
      const chat = await opened.chat("section")
      await chat.getByText("It is Signalbox 9.9.9 and speaks protocol 99").waitFor()
      assert.strictEqual(await chat.locator("textarea").count(), 0)
    } finally {
      // The process that it names is this one, which must not be ended.
      rmSync(join(bench?.state ?? "", "server.json"))
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      http.close()
    }
  })

  it("asks for a folder where none is open", async () => {
    bench = await Bench.open()
    const page = await bench.browser.newPage()
    await page.goto(bench.code.address(undefined, extensionFolder))
    await page.waitForSelector(".monaco-workbench")
    window = new ChatWindow(page)
    await window.go("Signalbox")
    const chat = await window.chat("p")
    await chat.getByRole("button", { name: "Open a folder" }).waitFor()
    assert.strictEqual(await chat.getByRole("button", { name: /^Start a thread/ }).count(), 0)
  })
})
