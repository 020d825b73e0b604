/** Removes variables from Cursor's environment that would break it. */
import * as ChildEnvironment from "@signalbox/process/ChildEnvironment"
import type { Environment } from "../HostEnvironment.ts"

/**
 * Cursor is a Node program with a Node of its own: options meant for our Node, or for an Electron around it, break it. A
 * variable that is `undefined` here is left out of the child's environment, by Node's `spawn` as by Effect's `ChildProcess`.
 * What the user sets for Cursor on purpose, in its own `env`, stays.
 */
export const childEnvironment = (
  host: Environment,
  own: Readonly<Record<string, string>> = {}
): Readonly<Record<string, string | undefined>> => {
  const env: Record<string, string | undefined> = {}
  for (const name of Object.keys(host)) if (isOurs(name)) env[name] = undefined
  return { ...env, ...own }
}

const isOurs = (name: string): boolean =>
  name === "NODE_OPTIONS" || name.startsWith("ELECTRON_") || ChildEnvironment.isOurs(name)
