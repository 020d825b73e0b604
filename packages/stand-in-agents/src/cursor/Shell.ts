import { spawn } from "node:child_process"
import type { JsonObject } from "../Json.ts"
import type { Turn } from "./Turn.ts"
import { Workspace } from "./Workspace.ts"

const result = (exitCode: number, stdout: string, stderr = ""): JsonObject => ({ exitCode, stdout, stderr })

/** The words of a command. Quotes group words, and nothing else is special. */
export const commandWords = (command: string): ReadonlyArray<string> =>
  Array.from(
    command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g),
    ([, double, single, bare]) => double ?? single ?? bare ?? ""
  )

/** Whether a command needs a real shell. */
const needsShell = (command: string): boolean => /[|&;<>$`(){}\n]/.test(command.replace(/'[^']*'|"[^"$`]*"/g, ""))

/** Runs one of a few harmless commands. Any other runs only if `allow_exec` is on. */
export const runCommand = async (turn: Turn, command: string): Promise<JsonObject> => {
  if (turn.quirks.has("allow_exec")) return await turn.orCancelled(execute(turn, command))
  const [name = "", ...words] = commandWords(command)
  switch (needsShell(command) ? "" : name) {
    case "echo":
      return result(0, `${words.join(" ")}\n`)
    case "pwd":
      return result(0, `${turn.session.cwd}\n`)
    case "ls":
      return result(
        0,
        new Workspace(turn.session.cwd)
          .names()
          .map((entry) => `${entry}\n`)
          .join("")
      )
    case "false":
      return result(1, "")
    case "sleep":
      await turn.wait((Number(words[0]) || 0) * 1000)
      return result(0, "")
    default:
      return result(127, "", `simulated shell: ${name || command}: not run (only echo, ls, pwd, false and sleep are)\n`)
  }
}

/** Runs a command in a real shell. Cancelling the turn stops the shell; its children may live on, as with Cursor. */
const execute = (turn: Turn, command: string): Promise<JsonObject> =>
  new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", command], { cwd: turn.session.cwd, stdio: ["ignore", "pipe", "pipe"] })
    const output = { stdout: "", stderr: "" }
    const stop = () => child.kill("SIGTERM")
    turn.signal.addEventListener("abort", stop, { once: true })
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text))
    child.on("error", (error) => resolve(result(127, "", `${error.message}\n`)))
    child.on("close", (code) => {
      turn.signal.removeEventListener("abort", stop)
      resolve(result(code ?? 143, output.stdout, output.stderr))
    })
  })
