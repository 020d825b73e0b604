// One measured exchange of a server and its clients: wall time and text as the clients saw them, CPU as the server used it.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run, start } from "../processes.mjs"

/** User and system time of a process so far, in microseconds. */
const cpuOf = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ")
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

export const rawBatch =
  (clients, workload, ...options) =>
  async () => {
    const server = start("servers/raw-batch.mjs", [String(clients), workload, ...options])
    const [, port] = await server.line(/^LISTENING (\d+)/)
    const before = cpuOf(server.pid)
    const seen = await run("servers/raw-client.mjs", [port, String(clients)])
    const serverCpuUs = cpuOf(server.pid) - before
    await server.stop()
    return { ...seen, serverCpuUs }
  }

export const signalbox = (clients, workload) => async () => {
  const state = mkdtempSync(join(tmpdir(), "bench-state-"))
  const server = start("../apps/server/dist/bin.js", ["serve", "--port", "0", "--state-dir", state])
  const [, url, token] = await server.line(/(http:\S+)\/#token=(\S+)/)
  const before = cpuOf(server.pid)
  const seen = await run("servers/signalbox-client.mjs", [url, token, String(clients), workload])
  const serverCpuUs = cpuOf(server.pid) - before
  await server.stop()
  rmSync(state, { recursive: true, force: true })
  return { ...seen, serverCpuUs }
}
