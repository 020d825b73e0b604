/**
 * Runs inside of a sandbox without network: leads connections to a port of loopback on to the filter's socket, and runs
 * the program. Node runs this file alone, so it imports nothing of ours. It names no types, so that Node runs it as
 * JavaScript: taking types out costs more than its start.
 *
 * Arguments: the port, the socket, the program and its arguments.
 */
import { spawn } from "node:child_process"
import { connect, createServer } from "node:net"
import { constants } from "node:os"

const [port, socket = "", command = "", ...args] = process.argv.slice(2)

const server = createServer((client) => {
  const door = connect(socket)
  client.on("error", () => door.destroy())
  door.on("error", () => client.destroy())
  client.once("close", () => door.destroy())
  door.once("close", () => client.destroy())
  client.pipe(door).pipe(client)
})

// The program gets these signals itself, and decides.
const ignore = () => {}
process.on("SIGTERM", ignore).on("SIGINT", ignore).on("SIGHUP", ignore).on("SIGQUIT", ignore)

server.listen(Number(port), "127.0.0.1", () => {
  const child = spawn(command, args, { stdio: "inherit" })
  child.once("error", ({ message }) => {
    process.stderr.write(`The program could not be started in the sandbox: ${message}\n`)
    process.exit(127)
  })
  child.once("exit", (code, signal) => process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])))
})
