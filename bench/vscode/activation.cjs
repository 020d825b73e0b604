// Runs in the extension host, as VS Code runs tests: what activating the extension costs that process. It writes the result into a file.
const { writeFileSync } = require("node:fs")
const { setTimeout: wait } = require("node:timers/promises")
const vscode = require("vscode")

exports.run = async () => {
  const extension = vscode.extensions.getExtension("signalbox.signalbox-vscode")
  // What the host does by itself at first would be counted otherwise.
  await wait(5000)
  const idle = process.cpuUsage()
  await wait(1000)
  const { system: idleSystem, user: idleUser } = process.cpuUsage(idle)
  const from = { cpu: process.cpuUsage(), wall: performance.now() }
  await extension.activate()
  const wallMs = performance.now() - from.wall
  const { system, user } = process.cpuUsage(from.cpu)
  const result = { cpuMs: (user + system) / 1000, wallMs, idleMsPerSecond: (idleUser + idleSystem) / 1000 }
  writeFileSync(process.env.SIGNALBOX_BENCH_RESULT, JSON.stringify(result))
}
