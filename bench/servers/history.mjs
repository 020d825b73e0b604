// A thread's whole history: how long a server needs to be ready with it, and how long a client to have all of it.
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { recorded } from "../core/recorded.mjs"
import { start } from "../processes.mjs"
import { WebSocket } from "ws"
import { connect } from "./wire.mjs"

/** One client's reading of a whole thread. The first of a server pays for what is compiled then; `catchUpMs` is the second's. */
const twice = async (read) => {
  const coldMs = await read()
  return { coldMs, catchUpMs: await read() }
}

/** From the start of the process to its open port. Then all pages of the thread from there to its first entry. */
export const rows = (events) => async () => {
  const directory = await recorded(events)
  const from = performance.now()
  const server = start("servers/rows.mjs", [join(directory, "signalbox.sqlite")])
  const [, port] = await server.line(/^LISTENING (\d+)/)
  const readyMs = performance.now() - from
  let entries = 0
  const read = async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false })
    await new Promise((open, fail) => socket.on("open", open).on("error", fail))
    const asked = performance.now()
    entries = 0
    await new Promise((done) => {
      socket.on("message", (data) => {
        const { items, more } = JSON.parse(data)
        entries += items.length
        if (more) socket.send("more")
        else done()
      })
      socket.send("first")
    })
    const ms = performance.now() - asked
    socket.close()
    return ms
  }
  const times = await twice(read)
  await server.stop()
  return { readyMs, ...times, entries }
}

/** Measures Signalbox's server, ready when its link is printed. */
export const signalbox = (events) => async () => {
  const state = mkdtempSync(join(tmpdir(), "bench-history-"))
  cpSync(await recorded(events), state, { recursive: true })
  const from = performance.now()
  const server = start("../apps/server/dist/bin.js", ["serve", "--port", "0", "--state-dir", state])
  const [, url, token] = await server.line(/(http:\S+)\/#token=(\S+)/)
  const readyMs = performance.now() - from
  let entries = 0
  const read = async () => {
    const { call, socket } = await connect(url, token)
    const asked = performance.now()
    const view = await new Promise(
      (done) => void call("watchThread", { threadId: "t", turnLimit: 200 }, (frame) => done(frame.view))
    )
    entries = view.items.length
    for (let before = view.earlier; before !== undefined;) {
      const exit = await call("readEarlier", { threadId: "t", before, turnLimit: 200 })
      if (exit._tag !== "Success") throw new Error(`readEarlier was refused: ${JSON.stringify(exit)}`)
      entries += exit.value.items.length
      before = exit.value.earlier
    }
    const ms = performance.now() - asked
    socket.close()
    return ms
  }
  const times = await twice(read)
  await server.stop()
  rmSync(state, { recursive: true, force: true })
  return { readyMs, ...times, entries }
}
