/** Agents for stories, as people would put them into their settings. */
import { fileURLToPath } from "node:url"
import { join } from "node:path"

const repository = fileURLToPath(new URL("../../../..", import.meta.url))
const keeperProgram = join(repository, "apps", "server", "test", "agents", "keeper.mjs")
const scriptedProgram = join(repository, "packages", "stand-in-agents", "src", "scripted", "main.ts")

const nesProgram = join(repository, "packages", "stand-in-agents", "bin", "signalbox-nes")

/** An agent that stores sessions and needs a sign-in. Its file begins with the settings that it accepts. */
export const keeper = ({ home }: { readonly home: string }, setup: object) => ({
  name: "Keeper",
  command: process.execPath,
  args: [keeperProgram],
  env: { KEEPER: JSON.stringify({ state: join(home, "keeper.json"), ...setup }) }
})

/** Plays what it is given. */
export const scripted = (setup: object) => ({
  name: "Script",
  command: process.execPath,
  args: [scriptedProgram],
  env: { SCRIPTED_AGENT: JSON.stringify(setup) }
})

/** The reference agent for suggestions, with a copy of all that it hears. */
export const referenceAgent = (heard: string, ...options: ReadonlyArray<string>) => ({
  name: "Next Edit",
  command: "bash",
  args: ["-c", `exec "$@" < <(exec tee -a "$0")`, heard, nesProgram, ...options]
})
