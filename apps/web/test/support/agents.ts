/** Agents for stories, as people would put them into their settings. */
import { fileURLToPath } from "node:url"
import { join } from "node:path"
import type { Server } from "./Server.ts"

const repository = fileURLToPath(new URL("../../../..", import.meta.url))
const keeperProgram = join(repository, "apps", "server", "test", "agents", "keeper.mjs")
const scriptedProgram = join(repository, "packages", "stand-in-agents", "src", "scripted", "main.ts")

/** An agent that stores sessions and needs a sign-in. Its file begins with the settings that it accepts. */
export const keeper = (server: Server, setup: object) => ({
  name: "Keeper",
  command: process.execPath,
  args: [keeperProgram],
  env: { KEEPER: JSON.stringify({ state: join(server.home, "keeper.json"), ...setup }) }
})

/** Plays what it is given. */
export const scripted = (setup: object) => ({
  name: "Script",
  command: process.execPath,
  args: [scriptedProgram],
  env: { SCRIPTED_AGENT: JSON.stringify(setup) }
})
