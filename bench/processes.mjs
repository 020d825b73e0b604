// Runs one measured process and reads its RESULT line.
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("..", import.meta.url))
export const file = (name) => fileURLToPath(new URL(name, import.meta.url))

/** Starts `node FILE ARGS…`. `result` is its RESULT line, `line(pattern)` the first line that matches. */
export const start = (name, args = [], options = {}) => {
  const child = spawn(process.execPath, [...(options.nodeArgs ?? []), file(name), ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...options.env }
  })
  const lines = []
  const waiting = []
  const offer = (line) => {
    lines.push(line)
    for (const wait of waiting) wait(line)
  }
  createInterface({ input: child.stdout }).on("line", offer)
  let stderr = ""
  child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text))
  const exited = new Promise((done) => child.on("exit", (code, signal) => done({ code, signal })))
  const line = (pattern) =>
    new Promise((done, fail) => {
      const look = (text) => {
        const match = pattern.exec(text)
        if (match) done(match)
      }
      lines.forEach(look)
      waiting.push(look)
      void exited.then((how) => fail(new Error(`${name} ended (${JSON.stringify(how)}) without ${pattern}\n${stderr}`)))
    })
  return {
    pid: child.pid,
    exited,
    line,
    result: () => line(/^RESULT (.*)$/).then(([, json]) => JSON.parse(json)),
    stop: async () => {
      if (child.exitCode === null) child.kill("SIGTERM")
      return exited
    }
  }
}

/** Runs to the end and gives the result. */
export const run = async (name, args, options) => {
  const started = start(name, args, options)
  const result = await started.result()
  await started.exited
  return result
}
