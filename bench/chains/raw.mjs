// The floor of a chain: passes lines on between standard streams and the flood agent. Splits on newlines and calls JSON.parse; checks nothing.
import { spawn } from "node:child_process"
import { since, started } from "../measure.mjs"
import { file } from "../processes.mjs"

const agent = spawn(process.execPath, [file("flood-agent.mjs")], { stdio: ["pipe", "pipe", "inherit"], detached: true })

const pass = (from, to) => {
  const decoder = new TextDecoder()
  let rest = ""
  from.on("data", (bytes) => {
    const text = rest + decoder.decode(bytes, { stream: true })
    let lines = ""
    let at = 0
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", at)) {
      const line = text.slice(at, end + 1)
      at = end + 1
      if (JSON.parse(line).jsonrpc === "2.0") lines += line
    }
    rest = text.slice(at)
    if (lines !== "" && !to.write(lines)) {
      from.pause()
      to.once("drain", () => from.resume())
    }
  })
  from.on("end", () => to.end())
}

const from = started()
pass(process.stdin, agent.stdin)
pass(agent.stdout, process.stdout)
agent.on("close", () => {
  console.error(`RESULT ${JSON.stringify(since(from))}`)
  process.exit()
})
