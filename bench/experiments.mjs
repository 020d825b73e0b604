// What is measured, beside what, and the goal of each ratio.
import { run } from "./processes.mjs"
import { rawBatch, signalbox } from "./servers/servers.mjs"
import { startPage, startVersion } from "./startup.mjs"

const raw = (workload) => () => run("clients/raw.mjs", [workload])
const sdk = (workload) => () => run("clients/sdk.mjs", [workload])
const adapter =
  (workload, ...more) =>
  () =>
    run("clients/adapter.mjs", [workload, ...more])
const heap = (workload) => () => run("clients/adapter.mjs", [workload], { nodeArgs: ["--expose-gc"] })

const core = (workload) => ({
  subjects: { raw: raw(workload), sdk: sdk(workload), adapter: adapter(workload), taped: adapter(workload, "tape") },
  goals: [
    { what: "CPU, adapter / raw", of: "adapter", over: "raw", figure: "cpuUs", at: "<=3" },
    { what: "time, SDK / adapter", of: "sdk", over: "adapter", figure: "wallMs", at: ">=2" },
    { what: "time, SDK / adapter with tape", of: "sdk", over: "taped", figure: "wallMs", at: ">=2" }
  ]
})

const server = (clients, workload) => ({
  subjects: { raw: rawBatch(clients, workload), signalbox: signalbox(clients, workload) },
  goals: [{ what: "messages/s, signalbox / raw-batch", of: "raw", over: "signalbox", figure: "wallMs", at: ">=0.5" }]
})

export const experiments = {
  deltas: { title: "adapter path, 200,000 text chunks of 221 bytes", ...core("deltas 200000") },
  mixed: {
    title: "adapter path, 60,000 updates of four kinds, 3,000 tool calls with 2 KB, 20 approvals",
    ...core("mixed 60000")
  },
  server: { title: "whole server, 50,000 chunks, one client", ...server(1, "deltas 50000") },
  "server-10": { title: "whole server, 50,000 chunks, ten clients", ...server(10, "deltas 50000") },
  "server-mixed": { title: "whole server, 20,000 mixed updates, one client", ...server(1, "mixed 20000") },
  latency: {
    title: "whole server, 1,000 stamped chunks a second: agent's write to client's read",
    subjects: { raw: rawBatch(1, "paced 3000"), signalbox: signalbox(1, "paced 3000") },
    goals: [
      { what: "p50, signalbox / raw-batch", of: "signalbox", over: "raw", figure: "p50us", at: "<=2" },
      { what: "p99, signalbox / raw-batch", of: "signalbox", over: "raw", figure: "p99us", at: "<=4" }
    ]
  },
  heap: {
    title: "heap after collection, 50,000 and 200,000 chunks",
    subjects: { "50k": heap("deltas 50000"), "200k": heap("deltas 200000") },
    goals: []
  },
  startup: {
    title: "warm `npm start` to a served page, and `signalbox --version`",
    subjects: { page: startPage, version: startVersion },
    goals: []
  }
}
