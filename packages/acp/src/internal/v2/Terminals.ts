/** The agent's own terminals: their commands and output, as a text to show (ACP v2, terminals). */
import * as Encoding from "effect/encoding/Base64"
import * as Result from "effect/Result"
import type * as V2 from "../generated/v2.ts"

/** Most UTF-16 units that are kept, from the end of the output. */
const maxOutput = 64 * 1024

export interface Terminals {
  readonly update: (update: V2.TerminalUpdate) => void
  readonly append: (chunk: V2.TerminalOutputChunk) => void
  /** The output as Markdown. */
  readonly show: (terminalId: string) => string
}

interface Terminal {
  command: string | undefined
  output: string
  cut: boolean
  exit: V2.TerminalExitStatus | undefined
  decoder: InstanceType<typeof TextDecoder>
}

// oxlint-disable-next-line no-control-regex -- Escape sequences of terminals begin with control characters.
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])|\r(?=\n)/g

export const make = (): Terminals => {
  const terminals = new Map<string, Terminal>()

  const get = (terminalId: string): Terminal => {
    const known = terminals.get(terminalId)
    if (known !== undefined) return known
    const made = { command: undefined, output: "", cut: false, exit: undefined, decoder: new TextDecoder() }
    terminals.set(terminalId, made)
    return made
  }

  const write = (terminal: Terminal, data: string) => {
    const bytes = Encoding.decode(data)
    // Output that is not Base64 is dropped.
    if (Result.isFailure(bytes)) return
    const output = terminal.output + terminal.decoder.decode(bytes.success, { stream: true })
    terminal.cut ||= output.length > maxOutput
    terminal.output = output.slice(-maxOutput)
  }

  return {
    update: ({ command, exitStatus, output, terminalId }) => {
      const terminal = get(terminalId)
      if (command !== undefined) terminal.command = command ?? undefined
      if (exitStatus !== undefined) terminal.exit = exitStatus ?? undefined
      if (output === undefined) return
      terminal.output = ""
      terminal.cut = false
      terminal.decoder = new TextDecoder()
      if (output !== null) write(terminal, output.data)
    },
    append: ({ data, terminalId }) => write(get(terminalId), data),
    show: (terminalId) => {
      const { command, cut, exit, output } = get(terminalId)
      const text = `${cut ? "…" : ""}${output.replace(escapes, "")}`
      const lines = [
        ...(command === undefined ? [] : [`$ ${command}`]),
        ...(text === "" ? [] : [text.replace(/\n$/, "")]),
        ...(exit === undefined ? [] : [ended(exit)])
      ]
      const ticks = Math.max(2, ...[...lines.join("\n").matchAll(/`+/g)].map(([run]) => run.length)) + 1
      const fence = "`".repeat(ticks)
      return `${fence}console\n${lines.join("\n")}\n${fence}`
    }
  }
}

const ended = ({ exitCode, signal }: V2.TerminalExitStatus): string =>
  signal ? `[ended by ${signal}]` : typeof exitCode === "number" ? `[exit code ${exitCode}]` : "[ended]"
