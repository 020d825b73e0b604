/**
 * The tape player: an agent that says again what an agent said once, to a client that says what the client said then.
 *
 *     node src/player/main.ts [--speed 1] TAPE
 */
import { parseArgs } from "node:util"
import { Client } from "./Client.ts"
import { Diverged, divergence, Player } from "./Player.ts"
import { type Exit, read } from "./Recording.ts"

const usage = "Usage: player [--speed N] [--driven] TAPE"

class UsageError extends Error {}

const callOf = (argv: ReadonlyArray<string>) => {
  const { positionals, values } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { speed: { type: "string" }, driven: { type: "boolean" } }
  })
  const [tape, ...more] = positionals
  if (tape === undefined || more.length > 0) throw new UsageError(usage)
  const speed = values.speed === undefined ? undefined : Number(values.speed)
  if (speed !== undefined && !(speed > 0)) throw new UsageError(`--speed ${values.speed} is no number above 0.`)
  return { tape, options: { speed, driven: values.driven === true } }
}

/** Ends as the process on the tape ended, so that whoever started it sees the same. */
const leave = ({ code, signal }: Exit): void => {
  if (signal === undefined) process.exit(code)
  process.removeAllListeners("SIGTERM")
  process.kill(process.pid, signal)
}

try {
  const { options, tape } = callOf(process.argv.slice(2))
  const client = new Client()
  // Who was asked to go ends as it did on the tape.
  process.on("SIGTERM", () => client.turnAway())
  try {
    leave(await new Player(client, options).play(read(tape)))
  } catch (cause) {
    if (!(cause instanceof Diverged) || !options.driven) throw cause
    await client.send(divergence(cause))
    await client.gone()
    process.exit(1)
  }
} catch (cause) {
  process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`)
  process.exit(cause instanceof UsageError ? 2 : 1)
}
