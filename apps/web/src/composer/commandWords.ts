/** The agent's own commands, as they are completed in the composer. Pure. */
import type { AgentCommand } from "@signalbox/contracts/ThreadView"

type Command = typeof AgentCommand.Type

/** What may be meant while only the name of a command is written: those that begin with it, then those that hold it. */
export const meantCommands = (commands: ReadonlyArray<Command>, text: string): ReadonlyArray<Command> => {
  const name = /^\/(\S*)$/.exec(text)?.[1]?.toLowerCase()
  if (name === undefined) return []
  const held = commands.filter((command) => command.name.toLowerCase().includes(name))
  const begins = held.filter((command) => command.name.toLowerCase().startsWith(name))
  return [...begins, ...held.filter((command) => !begins.includes(command))]
}

/** The text with the command completed: ready for what follows its name. */
export const withCommand = ({ name }: Command): string => `/${name} `
