// An agent that makes suggestions, and writes down what it is sent. What it does is in $SUGGESTER:
// { log?: file, capabilities?, configOptions?, reports?: { method: update }, answers?: [suggestions, …], errors?: { method: error }, silent?: [methods], dies?: method, stays? }
// Each `nes/suggest` gets the next of `answers`; the last one is repeated. `silent`: methods that are never answered.
// `configOptions`: those of a session as it begins. `reports`: what it reports behind its answer to this method.
// `dies`: it ends when this is sent. `stays`: it does not end when it is asked to. It writes its pid to the log at its start.
import { appendFileSync } from "node:fs"
import { createInterface } from "node:readline"

const setup = JSON.parse(process.env.SUGGESTER ?? "{}")
const note = (entry) => setup.log && appendFileSync(setup.log, `${JSON.stringify(entry)}\n`)
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)

const everything = {
  events: {
    document: { didOpen: {}, didChange: { syncKind: "incremental" }, didClose: {}, didSave: {}, didFocus: {} }
  },
  context: {
    recentFiles: {},
    relatedSnippets: {},
    editHistory: {},
    userActions: {},
    openFiles: {},
    diagnostics: {}
  }
}

let sessions = 0
let asked = 0
const results = {
  initialize: () => ({
    protocolVersion: 1,
    agentInfo: { name: "Suggester", version: "1.2.3" },
    agentCapabilities: setup.capabilities ?? { nes: everything }
  }),
  "nes/start": () => ({ sessionId: `session-${++sessions}`, configOptions: setup.configOptions }),
  "nes/suggest": () => ({
    suggestions: (setup.answers ?? [[]])[Math.min(asked++, (setup.answers ?? [[]]).length - 1)]
  }),
  ...(setup.configOptions && { "session/set_config_option": () => ({ configOptions: setup.configOptions }) }),
  "nes/close": () => ({})
}

if (setup.stays) {
  process.on("SIGTERM", () => {})
  setInterval(() => {}, 1000)
}

note({ pid: process.pid })
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  note({ method, params })
  if (setup.dies === method) process.exit(3)
  if (id === undefined || setup.silent?.includes(method)) return
  const error = setup.errors?.[method]
  if (error !== undefined) return send({ id, error })
  const result = results[method]
  if (result === undefined) return send({ id, error: { code: -32601, message: "Method not found" } })
  send({ id, result: result() })
  const update = setup.reports?.[method]
  if (update !== undefined) send({ method: "session/update", params: { sessionId: `session-${sessions}`, update } })
})
