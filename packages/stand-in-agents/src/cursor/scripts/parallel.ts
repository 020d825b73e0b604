import type { Script } from "../Script.ts"
import { Tool } from "../Tools.ts"
import { finishRead, readShape } from "./files.ts"
import { finishGlob, finishGrep, globShape, grepShape } from "./search.ts"

/** Opens four tools before any completes. The order of their ends has no meaning. */
export const parallel: Script = async (turn) => {
  await turn.think("I will look at four things at once.")
  const readme = Tool.open(turn, readShape("README.md"))
  const manifest = Tool.open(turn, readShape("package.json"))
  const search = Tool.open(turn, grepShape("TODO"))
  const find = Tool.open(turn, globShape("**/*.md"))
  for (const tool of [readme, manifest, search, find]) tool.start()
  const endings = [
    () => finishRead(turn, readme, "README.md"),
    () => finishRead(turn, manifest, "package.json"),
    () => finishGrep(turn, search, "TODO"),
    () => finishGlob(turn, find, "**/*.md")
  ]
  for (const end of turn.emulator.random.shuffle(endings)) {
    await turn.wait(120)
    end()
  }
  await turn.say("All four are done.")
}
