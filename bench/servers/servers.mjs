// One measured exchange of a server and its clients: wall time and text as the clients saw them; CPU, peak memory and the longest
// standstill of the event loop as the server had them.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { file, run, start } from "../processes.mjs"

const watched = { nodeArgs: ["--import", file("watched.mjs")] }

/** User and system time of a process so far, in microseconds. */
const cpuOf = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ")
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

/** `exchange` is what the clients do, and resolves with what they saw. Ends the server. */
const measured = async (server, exchange) => {
  const before = cpuOf(server.pid)
  process.kill(server.pid, "SIGUSR2")
  // Their peak says nothing about the server.
  const { peakRssMb: _, ...seen } = await exchange()
  const serverCpuUs = cpuOf(server.pid) - before
  await server.stop()
  const [, json] = await server.line(/^WATCHED (.*)$/)
  return { ...seen, serverCpuUs, ...JSON.parse(json) }
}

export const rawBatch =
  (clients, workload, ...options) =>
  async () => {
    const server = start("servers/raw-batch.mjs", [String(clients), workload, ...options], watched)
    const [, port] = await server.line(/^LISTENING (\d+)/)
    return measured(server, () => run("servers/raw-client.mjs", [port, String(clients)]))
  }

export const signalbox =
  (clients, workload, settings = {}) =>
  async () => {
    const state = mkdtempSync(join(tmpdir(), "bench-state-"))
    writeFileSync(join(state, "settings.json"), JSON.stringify(settings))
    const server = start("../apps/server/dist/bin.js", ["serve", "--port", "0", "--state-dir", state], watched)
    const [, url, token] = await server.line(/(http:\S+)\/#token=(\S+)/)
    const result = await measured(server, () =>
      run("servers/signalbox-client.mjs", [url, token, String(clients), workload])
    )
    rmSync(state, { recursive: true, force: true })
    return result
  }
