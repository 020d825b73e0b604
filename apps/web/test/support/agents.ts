/** Agents for stories, as people would put them into their settings. */
import { fileURLToPath } from "node:url"
import { join } from "node:path"

const repository = fileURLToPath(new URL("../../../..", import.meta.url))
const keeperProgram = join(repository, "apps", "server", "test", "agents", "keeper.mjs")
const scriptedProgram = join(repository, "packages", "stand-in-agents", "src", "scripted", "main.ts")

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
