/** Runs the program of an ecosystem, such as cargo, to its end: with a time limit, bounded output, and nothing of it left behind. */
import * as ChildEnvironment from "@signalbox/process/ChildEnvironment"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { spawn } from "node:child_process"

export class ToolFailed extends Schema.TaggedError<ToolFailed>()("ToolFailed", {
  /** What it wrote to standard error, or what kept it from running. */
  message: Schema.String,
  reason: Schema.Literals(["NotThere", "Silent", "TooMuch", "Failed"]),
  /** What it wrote to standard output before it failed by itself, if it wrote nothing to standard error. */
  output: Schema.optionalKey(Schema.String)
}) {}

export interface Run {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly seconds: number
}

const mostOutput = 256 * 1024 * 1024
const mostStderr = 64 * 1024

/** Its standard output. When interrupted, the program and what it has started are killed. */
export const run = ({ args, command, cwd, env, seconds }: Run): Effect.Effect<string, ToolFailed> =>
  Effect.callback<string, ToolFailed>((resume) => {
    const child = spawn(command, args, {
      cwd,
      env: ChildEnvironment.of(process.env, env),
      // A group of its own: it may start programs, too.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"]
    })
    const chunks: Array<Buffer> = []
    let size = 0
    let stderr = ""
    const kill = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
      } catch {
        // It has ended already.
      }
    }
    const fail = (reason: ToolFailed["reason"], message: string) => {
      kill()
      resume(Effect.fail(new ToolFailed({ reason, message })))
    }
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size > mostOutput) fail("TooMuch", `${command} wrote more than 256 MiB.`)
      else chunks.push(chunk)
    })
    child.stderr.on("data", (chunk: Buffer) => {
      if (stderr.length < mostStderr) stderr += chunk.toString("utf8")
    })
    child.on("error", ({ message }) =>
      fail("NotThere", child.pid === undefined ? `${command} can't be started: ${message}` : message)
    )
    child.on("close", (code) => {
      kill()
      if (code === 0) return resume(Effect.succeed(Buffer.concat(chunks).toString("utf8")))
      if (stderr.trim() !== "") return fail("Failed", stderr.trim())
      const output = Buffer.concat(chunks).toString("utf8", 0, mostStderr)
      resume(Effect.fail(new ToolFailed({ reason: "Failed", message: `${command} ended with ${code}.`, output })))
    })
    return Effect.sync(kill)
  }).pipe(
    Effect.timeoutOrElse({
      duration: `${seconds} seconds`,
      orElse: () =>
        Effect.fail(new ToolFailed({ reason: "Silent", message: `${command} did not end within ${seconds} seconds.` }))
    })
  )
