// What is measured, beside what, and the goal of each ratio.
import { firstBare, firstFromSources, firstLaunched } from "./first.mjs"
import { experiments as ide } from "./ide/experiments.mjs"
import { chain, crowd, further } from "./chains/drive.mjs"
import { run } from "./processes.mjs"
import * as History from "./servers/history.mjs"
import { rawBatch, signalbox } from "./servers/servers.mjs"
import { startPage, startVersion } from "./startup.mjs"
import { experiments as vscode } from "./vscode/experiments.mjs"

const raw = (workload, options) => () => run("clients/raw.mjs", [workload], options)
const sdk = (workload, options) => () => run("clients/sdk.mjs", [workload], options)
const adapter = (workload, options) => () => run("clients/adapter.mjs", [workload], options)
const over = (transport, workload) => () => run("clients/transport.mjs", [workload, transport])
const boxed = (workload, network) => () => run("clients/adapter.mjs", [workload, network])
const taped = (workload) => () => run("clients/adapter.mjs", [workload, "tape"])
/** A chain with so many pass-through proxies in the process and on stdio. */
const proxies = (memory, stdio, workload) => () => chain("conductor", [String(memory), String(stdio)], workload)
const passing = (workload) => () => chain("raw", [], workload)
const collecting = { nodeArgs: ["--expose-gc"] }

const subjects = (workload) => ({ raw: raw(workload), sdk: sdk(workload), adapter: adapter(workload) })

const cpu = (at) => ({ what: "CPU, adapter / raw", of: "adapter", over: "raw", figure: "cpuUs", at })
const faster = (at, of = "adapter") => ({ what: `time, SDK / ${of}`, of: "sdk", over: of, figure: "wallMs", at })

/** All of it arrived, every piece of text where it belongs, and before the end of its turn. */
const nothingLost = ({ characters, tools = 0 }) => [
  { what: "characters, adapter", of: "adapter", figure: "characters", at: `==${characters}` },
  { what: "tool calls, adapter", of: "adapter", figure: "tools", at: `==${tools}` },
  { what: "text out of place, adapter", of: "adapter", figure: "misplaced", at: "==0" },
  { what: "updates after the end of their turn, adapter", of: "adapter", figure: "afterEnd", at: "==0" }
]

const server = (clients, workload, at) => ({
  subjects: { raw: rawBatch(clients, workload), signalbox: signalbox(clients, workload) },
  goals: [{ what: "messages/s, signalbox / raw-batch", of: "raw", over: "signalbox", figure: "wallMs", at }]
})

/** One message of 208 million characters. */
const oneMessage = (workload) => ({
  raw: rawBatch(1, workload),
  "64 MiB": signalbox(1, workload),
  whole: signalbox(1, workload, { turnLimitMiB: 4096 })
})
/** What a server holds at a time is a window, a fold and a line, however long the message is. */
const bounded = [
  { what: "peak memory in MB, all is kept", of: "whole", figure: "serverPeakMb", at: "<=800" },
  { what: "CPU in the longest standstill, ms, 64 MiB", of: "64 MiB", figure: "standstillCpuMs", at: "<=500" },
  { what: "CPU in the longest standstill, ms, all is kept", of: "whole", figure: "standstillCpuMs", at: "<=500" },
  { what: "CPU, all is kept / raw", of: "whole", over: "raw", figure: "serverCpuUs", at: "<=3" }
]

export const experiments = {
  deltas: {
    title: "adapter path, 200,000 text chunks of 221 bytes",
    subjects: { ...subjects("deltas 200000"), taped: taped("deltas 200000") },
    goals: [cpu("<=2"), faster(">=3"), faster(">=3", "taped"), ...nothingLost({ characters: 8_000_000 })]
  },
  transports: {
    title: "the package's client alone over every transport and in version 2, 600,000 text chunks of 221 bytes",
    subjects: {
      stdio: over("stdio", "deltas 600000"),
      v2: over("v2", "deltas 600000"),
      http: over("http", "deltas 600000"),
      ws: over("ws", "deltas 600000")
    },
    goals: ["v2", "http", "ws"].map((of) => ({
      what: `CPU, ${of} / stdio`,
      of,
      over: "stdio",
      figure: "cpuUs",
      at: "<=1.5"
    }))
  },
  mixed: {
    title: "adapter path, 60,000 updates of four kinds, 3,000 tool calls with 2 KB, 20 approvals",
    subjects: { ...subjects("mixed 60000"), taped: taped("mixed 60000") },
    goals: [cpu("<=2"), faster(">=5"), faster(">=5", "taped"), ...nothingLost({ characters: 600_000, tools: 3_000 })]
  },
  big: {
    title: "adapter path, 20,000 text chunks of 4 KB",
    subjects: subjects("big 20000"),
    goals: [cpu("<=1.8"), ...nothingLost({ characters: 78_000_000 })]
  },
  fanout: {
    title: "adapter path, 20 sessions at once with 2,000 chunks each",
    subjects: subjects("fanout 20 2000"),
    goals: [cpu("<=2.5"), faster(">=2.5"), ...nothingLost({ characters: 1_600_000 })]
  },
  load: {
    title: "adapter path, an agent's start and a history of 100,000 updates by session/load",
    subjects: subjects("load 100000"),
    goals: [
      { what: "time, adapter / raw", of: "adapter", over: "raw", figure: "wallMs", at: "<=2" },
      ...nothingLost({ characters: 3_960_000 })
    ]
  },
  start: {
    title: "adapter path, from nothing to the answer to session/new: an agent's start, 15 of them one after the other",
    subjects: subjects("start 15"),
    goals: [{ what: "time, adapter / raw", of: "adapter", over: "raw", figure: "wallMs", at: "<=1.1" }]
  },
  sandbox: {
    title: "adapter path, from nothing to the first reply, without and with a sandbox: 15 agents one after the other",
    subjects: {
      none: adapter("reply 15"),
      sandbox: boxed("reply 15", "off"),
      filter: boxed("reply 15", "hosts")
    },
    goals: [
      { what: "time, sandbox / none", of: "sandbox", over: "none", figure: "wallMs", at: "<=2" },
      { what: "time, sandbox with a list of hosts / none", of: "filter", over: "none", figure: "wallMs", at: "<=4" }
    ]
  },
  together: {
    title: "adapter path, 50 sessions that start at once",
    subjects: subjects("together 50"),
    // Side by side: one after the other they take four times as long.
    goals: [{ what: "time, adapter / raw", of: "adapter", over: "raw", figure: "wallMs", at: "<=1.5" }]
  },
  crowd: {
    title: "adapter path, 200 sessions that are asked for at once: the adapter starts a few at a time",
    subjects: { raw: raw("together 200"), adapter: adapter("together 200") },
    goals: [{ what: "time, adapter / raw", of: "adapter", over: "raw", figure: "wallMs", at: "<=1.5" }]
  },
  idle: {
    title: "adapter path, memory of a session that waits, over 50 of them",
    subjects: {
      raw: raw("idle 50", collecting),
      sdk: sdk("idle 50", collecting),
      adapter: adapter("idle 50", collecting)
    },
    goals: [{ what: "memory of an idle session in KB, adapter", of: "adapter", figure: "rssKbPerSession", at: "<=60" }]
  },
  memory: {
    title: "adapter path, peak memory at 50,000 and at 200,000 text chunks",
    subjects: {
      raw: raw("deltas 200000"),
      "50k": adapter("deltas 50000"),
      "200k": adapter("deltas 200000")
    },
    goals: [
      { what: "peak memory, adapter / raw", of: "200k", over: "raw", figure: "peakRssMb", at: "<=1.8" },
      { what: "peak memory, 200,000 / 50,000", of: "200k", over: "50k", figure: "peakRssMb", at: "<=1.05" }
    ]
  },
  chain: {
    title: "a conductor, 200,000 text chunks of 221 bytes, with pass-through proxies in the process and on stdio",
    subjects: {
      raw: passing("deltas 200000"),
      alone: proxies(0, 0, "deltas 200000"),
      "5 in memory": proxies(5, 0, "deltas 200000"),
      "1 on stdio": proxies(0, 1, "deltas 200000"),
      "2 on stdio": proxies(0, 2, "deltas 200000")
    },
    goals: [
      { what: "CPU, conductor / raw", of: "alone", over: "raw", figure: "cpuUs", at: "<=1.6" },
      {
        what: "CPU of five proxies in memory, µs a message",
        of: "5 in memory",
        beyond: "alone",
        figure: "usPerMessage",
        at: "<=5"
      },
      {
        what: "CPU for one more proxy on stdio, µs a message",
        of: "2 on stdio",
        beyond: "1 on stdio",
        figure: "usPerMessage",
        at: "<=5"
      },
      { what: "updates that arrived, 2 on stdio", of: "2 on stdio", figure: "updates", at: "==200000" },
      { what: "updates after the end of their turn, 2 on stdio", of: "2 on stdio", figure: "late", at: "==0" }
    ]
  },
  "chain-further": {
    title: "a conductor, one text chunk more: the CPU of 800,000 beyond that of 200,000, for each of them",
    subjects: {
      raw: () => further("raw", [], 200_000, 800_000),
      alone: () => further("conductor", ["0", "0"], 200_000, 800_000),
      "5 in memory": () => further("conductor", ["5", "0"], 200_000, 800_000)
    },
    goals: [
      { what: "CPU, conductor / raw", of: "alone", over: "raw", figure: "usPerMessage", at: "<=1.6" },
      {
        what: "CPU of five proxies in memory, µs a message",
        of: "5 in memory",
        beyond: "alone",
        figure: "usPerMessage",
        at: "<=5"
      }
    ]
  },
  "chain-latency": {
    title: "a conductor, 1,000 chunks a second, from the agent's write to the client's read",
    subjects: {
      raw: passing("paced 5000"),
      alone: proxies(0, 0, "paced 5000"),
      "1 on stdio": proxies(0, 1, "paced 5000")
    },
    goals: [
      { what: "p50 in µs, one hop", of: "alone", figure: "p50Us", at: "<=300" },
      { what: "p50 in µs, one more proxy", of: "1 on stdio", beyond: "alone", figure: "p50Us", at: "<=300" }
    ]
  },
  "acp-latency": {
    title: "`signalbox acp`, 1,000 chunks a second, from the agent's write to the editor's read, through the server",
    subjects: {
      raw: passing("paced 5000"),
      acp: () => chain("acp", [], "paced 5000")
    },
    goals: [
      { what: "p50 in µs that it adds", of: "acp", beyond: "raw", figure: "p50Us", at: "<=1000" },
      { what: "chunks that arrived", of: "acp", figure: "chunks", at: "==5000" }
    ]
  },
  "chain-research": {
    title:
      "a question about a package in node_modules: from the tool call to the researcher's prompt, which the agent gets",
    subjects: {
      one: () => run("chains/research.mjs", ["1"]),
      "four at once": () => run("chains/research.mjs", ["4"])
    },
    goals: [
      { what: "ms, one", of: "one", figure: "lastMs", at: "<=300" },
      { what: "ms, the last of four at once", of: "four at once", figure: "lastMs", at: "<=300" }
    ]
  },
  knowledge: {
    title:
      "a session's start with 200 dependencies that bring a skill each, until its first prompt has reached the agent",
    subjects: {
      bare: () => run("chains/knowledge.mjs", ["none"]),
      knowledge: () => run("chains/knowledge.mjs")
    },
    goals: [
      { what: "time of the index, ms", of: "knowledge", beyond: "bare", figure: "wallMs", at: "<=200" },
      { what: "bytes of the index", of: "knowledge", figure: "bytes", at: "<=5500" },
      { what: "tokens of the index, at most", of: "knowledge", figure: "tokens", at: "<=2000" },
      { what: "dependencies that it lists", of: "knowledge", figure: "listed", at: "==200" }
    ]
  },
  "chain-crowd": {
    title: "50 chains of one proxy in memory that start at once, each with its agent",
    subjects: { raw: () => crowd("raw", [], 50), conductor: () => crowd("conductor", ["1", "0"], 50) },
    goals: [{ what: "chains that are ready", of: "conductor", figure: "ready", at: "==50" }]
  },
  "chain-memory": {
    title: "a conductor with ten proxies in memory: peak memory at 50,000 and at 200,000 text chunks",
    subjects: { "50k": proxies(10, 0, "deltas 50000"), "200k": proxies(10, 0, "deltas 200000") },
    goals: [{ what: "peak memory, 200,000 / 50,000", of: "200k", over: "50k", figure: "peakRssMb", at: "<=1.05" }]
  },
  "chain-order": {
    title: "a conductor with ten proxies, in memory or on stdio: the order of 200,000 numbered text chunks",
    subjects: { "in memory": proxies(10, 0, "numbered 200000"), "on stdio": proxies(0, 10, "numbered 200000") },
    goals: ["in memory", "on stdio"].flatMap((of) => [
      { what: `updates that arrived, ${of}`, of, figure: "updates", at: "==200000" },
      { what: `updates out of their order, ${of}`, of, figure: "misplaced", at: "==0" },
      { what: `updates after the end of their turn, ${of}`, of, figure: "late", at: "==0" }
    ])
  },
  server: { title: "whole server, 50,000 chunks, one client", ...server(1, "deltas 50000", ">=0.75") },
  "server-10": { title: "whole server, 50,000 chunks, ten clients", ...server(10, "deltas 50000", ">=1") },
  "server-mixed": { title: "whole server, 20,000 mixed updates, one client", ...server(1, "mixed 20000", ">=0.75") },
  "flood-chunks": {
    title: "whole server, one message of 208 million characters in chunks of 4,000; a turn keeps 64 MiB, or all",
    subjects: oneMessage("message 52000 4000"),
    goals: bounded
  },
  "flood-lines": {
    title: "whole server, one message of 208 million characters in lines of 16 million; a turn keeps 64 MiB, or all",
    subjects: oneMessage("message 13 16000000"),
    goals: bounded
  },
  latency: {
    title: "whole server, 1,000 stamped chunks a second: agent's write to client's read",
    subjects: {
      raw: rawBatch(1, "paced 3000"),
      "raw + worker": rawBatch(1, "paced 3000", "checkpoints"),
      signalbox: signalbox(1, "paced 3000")
    },
    goals: [
      { what: "p50, signalbox / raw-batch", of: "signalbox", over: "raw", figure: "p50us", at: "<=1.4" },
      {
        what: "p99, signalbox / raw-batch with checkpoints in a worker",
        of: "signalbox",
        over: "raw + worker",
        figure: "p99us",
        at: "<=1.5"
      }
    ]
  },
  history: {
    title: "a thread of 100,000 events: restart to ready, and a client's reading of all of it",
    subjects: { rows: History.rows(100_000), "1k": History.signalbox(1_000), "100k": History.signalbox(100_000) },
    goals: [
      { what: "start to ready, signalbox / reading the rows", of: "100k", over: "rows", figure: "readyMs", at: "<=3" },
      { what: "start to ready, 100,000 events / 1,000", of: "100k", over: "1k", figure: "readyMs", at: "<=1.1" },
      { what: "all of it read, signalbox / read and send", of: "100k", over: "rows", figure: "catchUpMs", at: "<=1.5" },
      { what: "entries read, signalbox / read and send", of: "100k", over: "rows", figure: "entries", at: ">=1" }
    ]
  },
  commands: {
    title: "one command after the other, each on the disk before the next; the thread empty, or with 100,000 events",
    subjects: {
      "by hand": () => run("core/commands.mjs", ["by-hand"]),
      signalbox: () => run("core/commands.mjs", ["signalbox"]),
      "100k": () => run("core/commands.mjs", ["signalbox", "100000"])
    },
    goals: [
      { what: "p50, signalbox / by hand", of: "signalbox", over: "by hand", figure: "p50us", at: "<=2" },
      { what: "p50, 100,000 events / none", of: "100k", over: "signalbox", figure: "p50us", at: "<=1.1" }
    ]
  },
  redaction: {
    title: "a line of a tape looked through for secrets, beside JSON.parse of it; nanoseconds a byte",
    subjects: {
      "a chunk": () => run("core/redaction.mjs", ["quiet", "120"]),
      "1 MB": () => run("core/redaction.mjs", ["ordinary", "1000000"]),
      "1 MB a.a.a.": () => run("core/redaction.mjs", ["addresses", "1000000"]),
      "32 MB": () => run("core/redaction.mjs", ["ordinary", "32000000"]),
      "32 MB a.a.a.": () => run("core/redaction.mjs", ["addresses", "32000000"])
    },
    goals: [
      {
        what: "32 MB / 1 MB, made to be slow",
        of: "32 MB a.a.a.",
        over: "1 MB a.a.a.",
        figure: "redactNs",
        at: "<=1.5"
      },
      { what: "32 MB / 1 MB, ordinary", of: "32 MB", over: "1 MB", figure: "redactNs", at: "<=1.5" }
    ]
  },
  shell: {
    title: "a line for a shell, read without running it; microseconds a line",
    subjects: {
      typical: () => run("core/shell-lines.mjs", ["typical"]),
      "100 kB": () => run("core/shell-lines.mjs", ["long"]),
      deep: () => run("core/shell-lines.mjs", ["deep"]),
      wide: () => run("core/shell-lines.mjs", ["wide"])
    },
    goals: [
      { what: "300 typical lines, µs each", of: "typical", figure: "readUs", at: "<=50" },
      { what: "100 kB, µs", of: "100 kB", figure: "readUs", at: "<=2000" }
    ]
  },
  rules: {
    title: "a decision at 1,000 rules, microseconds a line; beside it each line against 1,000 beginnings",
    subjects: {
      prefixes: () => run("core/decisions.mjs", ["prefixes"]),
      decided: () => run("core/decisions.mjs", ["decided"]),
      judged: () => run("core/decisions.mjs", ["judged"]),
      "100 kB": () => run("core/decisions.mjs", ["long"])
    },
    goals: [
      { what: "a decision, µs, its line read before", of: "decided", figure: "decisionUs", at: "<=50" },
      {
        what: "a decision, in comparisons of 1,000 beginnings",
        of: "decided",
        over: "prefixes",
        figure: "decisionUs",
        at: "<=12"
      },
      { what: "a whole request of 100 kB, µs", of: "100 kB", figure: "decisionUs", at: "<=2000" }
    ]
  },
  suggestion: {
    title: "an agent's answer to the frame with its suggestion, 100 of them; by hand, and in files of two lengths",
    subjects: {
      "by hand": () => run("editor/painted.mjs", ["by-hand"]),
      "200 lines": () => run("editor/painted.mjs", ["200"]),
      "20,000 lines": () => run("editor/painted.mjs", ["20000"])
    },
    goals: ["200 lines", "20,000 lines"].flatMap((of) => [
      { what: `p50 in ms, ${of}`, of, figure: "paintedP50", at: "<=60" },
      { what: `p95 in ms, ${of}`, of, figure: "paintedP95", at: "<=120" },
      { what: `p50, ${of} / by hand`, of, over: "by hand", figure: "paintedP50", at: "<=2" }
    ])
  },
  keystroke: {
    title: "a keystroke in a file of 20,000 lines: CodeMirror alone, and Signalbox's editor; 2,400 keys",
    subjects: {
      codemirror: () => run("editor/keystrokes.mjs", ["codemirror"]),
      plain: () => run("editor/keystrokes.mjs", ["plain"]),
      off: () => run("editor/keystrokes.mjs", ["off"]),
      on: () => run("editor/keystrokes.mjs", ["on"])
    },
    goals: [
      { what: "handlers in ms, p95, with suggestions", of: "on", figure: "handlerP95", at: "<=16" },
      {
        what: "CPU, p95, with suggestions / CodeMirror alone",
        of: "on",
        over: "codemirror",
        figure: "cpuP95",
        at: "<=1"
      },
      { what: "CPU, p50, suggestions / none", of: "on", over: "off", figure: "cpuP50", at: "<=1.2" },
      { what: "answers with a suggestion", of: "on", figure: "answers", at: ">=100" }
    ]
  },
  "keystroke-heap": {
    title: "heap after collection, 200,000 keystrokes against none (a quarter of an hour for each subject)",
    subjects: {
      codemirror: () => run("editor/heap.mjs", ["codemirror"]),
      on: () => run("editor/heap.mjs", ["on"])
    },
    goals: ["page", "server", "agent"].map((of) => ({
      what: `growth in MB, ${of}`,
      of: "on",
      figure: `${of}GrowthMb`,
      at: "<=1"
    }))
  },
  ...ide,
  ...vscode,
  page: {
    title: "Chromium's heap after collection, with one live message of 1,152,000 characters in 12,000 paragraphs",
    subjects: { page: () => run("page-heap.mjs") },
    goals: [{ what: "heap that the message takes, MB", of: "page", figure: "heapGrowthMb", at: "<=25" }]
  },
  heap: {
    title: "heap after collection, 50,000 and 200,000 chunks",
    subjects: { "50k": adapter("deltas 50000", collecting), "200k": adapter("deltas 200000", collecting) },
    goals: []
  },
  first: {
    title: "from a command to the first words of its agent: a bare client, `signalbox run`, the same from its sources",
    subjects: { bare: firstBare, signalbox: firstLaunched, sources: firstFromSources },
    goals: [
      { what: "our share, milliseconds", of: "signalbox", beyond: "bare", figure: "wallMs", at: "<=500" },
      { what: "our share from the sources", of: "sources", beyond: "bare", figure: "wallMs", at: "<=1000" }
    ]
  },
  startup: {
    title: "warm `npm start` to a served page, and `signalbox --version`",
    subjects: { page: startPage, version: startVersion },
    goals: []
  }
}
