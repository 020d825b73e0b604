/**
 * The chaos proxy: stands between a client and its agent, and does to their conversation what a schedule and a seed say.
 *
 *     node src/chaos/main.ts --seed 7 --schedule '{"toClient":{"split":0.5}}' --log faults.ndjson -- agent acp
 */
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { closeSync, readFileSync } from "node:fs"
import type { Readable, Writable } from "node:stream"
import { parseArgs } from "node:util"
import { FaultLog } from "./FaultLog.ts"
import { childrenOf } from "./Kin.ts"
import { Lane } from "./Lane.ts"
import { Moments } from "./Moments.ts"
import { type Action, type Direction, parse, type Schedule, ScheduleInvalid } from "./Schedule.ts"

interface Call {
  readonly seed: number
  readonly schedule: Schedule
  readonly log: string | undefined
  readonly command: string
  readonly args: ReadonlyArray<string>
}

/** After the agent's end: how long something that it left behind may hold its output open and say nothing. */
const silenceMs = 1000

const usage = "Usage: chaos [--seed N] [--schedule JSON|FILE] [--log FILE] -- AGENT [ARGS]"

const callOf = (argv: ReadonlyArray<string>): Call => {
  const { positionals, values } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { seed: { type: "string" }, schedule: { type: "string" }, log: { type: "string" } }
  })
  const [command, ...args] = positionals
  const seed = Number(values.seed ?? 0)
  if (command === undefined) throw new ScheduleInvalid(usage)
  if (!Number.isSafeInteger(seed) || seed < 0) throw new ScheduleInvalid(`--seed ${values.seed} is no whole number.`)
  const source = values.schedule?.trim() ?? "{}"
  const schedule = parse(source.startsWith("{") ? source : readFileSync(source, "utf8"))
  return { seed, schedule, log: values.log, command, args }
}

const run = async ({ args, command, log: path, schedule, seed }: Call): Promise<void> => {
  const log = new FaultLog(path)
  const agent: ChildProcessByStdio<Writable, Readable, null> = spawn(command, args, {
    stdio: ["pipe", "pipe", "inherit"]
  })
  log.write("start", { seed, command, args, agent: agent.pid })
  const ended = new Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>((resolve) => {
    agent.once("exit", (code, signal) => resolve({ code, signal }))
    agent.once("error", (error) => {
      process.stderr.write(`${command} could not be started: ${error.message}\n`)
      resolve({ code: 127, signal: null })
    })
  })

  const moments = new Moments(schedule.moments)
  const act = (direction: Direction) => (action: Action) => {
    switch (action) {
      case "kill-agent":
        return void agent.kill("SIGKILL")
      case "kill-proxy":
        return void process.kill(process.pid, "SIGKILL")
      case "kill-grandchild": {
        const [child] = childrenOf(agent.pid ?? 0)
        return child === undefined ? undefined : void process.kill(child, "SIGKILL")
      }
      case "close-input":
        return void agent.stdin.end()
      case "close-output":
        process.stdout.destroy()
        // Node keeps standard streams open, whatever is asked of them.
        return closeSync(1)
      case "stall":
        return lanes[direction].stall()
    }
  }
  const laneOptions = (direction: Direction) => ({
    direction,
    seed,
    rates: schedule[direction],
    moments,
    log,
    stderr: process.stderr,
    act: act(direction)
  })
  const lanes = {
    toAgent: new Lane(agent.stdin, laneOptions("toAgent")),
    toClient: new Lane(process.stdout, laneOptions("toClient"))
  }

  // A side that goes takes its pipes along; the other one learns by the end of its own.
  agent.stdin.on("error", () => {})
  process.stdout.on("error", () => agent.stdout.destroy())
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => agent.kill(signal))
  void lanes.toAgent.run(process.stdin).then(() => agent.stdin.end())
  const said = lanes.toClient.run(agent.stdout).catch(() => {
    // Its output was closed on our side.
  })

  const { code, signal } = await ended
  await Promise.race([said, lanes.toClient.silence(silenceMs)])
  log.write("exit", { code, signal })
  // Ends as its agent did, so that whoever started it sees the same.
  if (signal === null) process.exit(code ?? 1)
  for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.removeAllListeners(name)
  process.kill(process.pid, signal)
}

try {
  await run(callOf(process.argv.slice(2)))
} catch (cause) {
  process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`)
  process.exit(2)
}
