/**
 * An agent that holds on: it does not end with its input, has a child, and never ends a turn. As it starts it looks whether the one before
 * it in the same folder still lives. It notes that in `overlaps`.
 */
import { ProviderId, type ProviderOptions } from "@signalbox/contracts/Provider"
import type { ThreadId } from "@signalbox/contracts/Ids"
import type { StartSession } from "../../src/provider/Services/ProviderAdapter.ts"

/** In a shell, which is there at once: one that is ended in its first moments counts as well. */
const start = String.raw`
before=$(cat latest 2>/dev/null)
echo $$ > latest
echo $$ >> starts
if [ -n "$before" ] && grep -s '^State:' "/proc/$before/status" | grep -qv '[ZX] ('; then
  echo "$before lives while $$ starts" >> overlaps
fi
exec "$@"`

const program = String.raw`
const child = require("node:child_process").spawn("sleep", ["600"], { stdio: "ignore" })
process.stderr.write("child " + child.pid + "\n")
const answer = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\n")
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line)
  if (method === process.env.SILENT_ON) return
  if (method === "initialize") answer(id, { protocolVersion: 1, agentCapabilities: { loadSession: true } })
  else if (method === "session/new") answer(id, { sessionId: "s" })
  else if (method === "session/load") answer(id, {})
})
setInterval(() => {}, 60_000)
`

export interface TenaciousOptions {
  readonly threadId: ThreadId
  /** Absolute. */
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/** What `startSession` takes for one. */
export const tenacious = ({ cwd, env = {}, threadId }: TenaciousOptions): StartSession => {
  const providerOptions: ProviderOptions = {
    acp: { command: "/bin/sh", args: ["-c", start, "sh", process.execPath, "-e", program], env }
  }
  return {
    threadId,
    provider: { id: ProviderId.make("tenacious"), kind: "acp", name: "Tenacious", simulated: true },
    providerOptions,
    cwd,
    knownPrompts: [],
    settings: {}
  }
}
