import type { Script } from "../Script.ts"
import { internalError } from "../RpcError.ts"

/** Cursor reports most failures as the last words of a turn that then ends normally. */
export const errorTexts: Readonly<Record<string, string>> = {
  retriable: "\n\nError: RetriableError: [unavailable] The service is temporarily unavailable",
  nonretriable: "\n\nError: NonRetriableError: [internal] The request cannot be retried",
  action: "\n\nError: ActionRequiredError: Check your settings to continue",
  connect: "\n\nError: ConnectError: [deadline_exceeded] PING timed out",
  internal: "\n\nError: T: [internal] Failed to run step, exceeded max retries",
  unauthenticated: "\n\nError: [unauthenticated] Not signed in",
  network: "\n\nError: getaddrinfo ENOTFOUND api2.cursor.sh",
  stream: "\n\nError: ConnectError: [aborted] Stream ended without turnEnded",
  signin: "Please sign in to continue",
  upgrade: "Upgrade your plan to continue",
  payment: "Add a payment method to continue",
  settings: "Check your settings to continue",
  usage: "You've hit your usage limit",
  model: '\n\nError: AI Model Not Found Model name is not valid: "claude-opus-5"'
}

export const error: Script = async (turn, args) => {
  const kind = args.get("kind", 0) ?? "retriable"
  const text = errorTexts[kind]
  if (text === undefined) throw internalError(`no error of kind "${kind}"`)
  await turn.think("Let me see.")
  await turn.say("", [text])
}

/** Some failures are errors of the protocol instead. */
export const rpcError: Script = async (_turn, args) => {
  throw internalError(args.text === "" ? "[unavailable] The service is temporarily unavailable" : args.text)
}

/** A thought, and then nothing until the turn is cancelled. */
export const hang: Script = async (turn) => {
  await turn.think("", ["Thinking about it…"])
  await turn.hang()
}

/** The process goes in the middle of a turn: with an exit code, or by a signal that leaves no time for anything. */
export const crash: Script = async (turn, args) => {
  await turn.say("", ["About to "])
  const code = args.get("code", 0) ?? "1"
  await turn.emulator.wire.flush()
  if (code === "signal") process.kill(process.pid, "SIGKILL")
  else await turn.emulator.exit(Number(code) || 1, "crash")
  await turn.hang()
}
