/** Programs that some machines have. Tests that need one are skipped elsewhere. */
import { execFileSync } from "node:child_process"

/** Whether a program can be run. Warns if not. `question`: makes it say its version and end. */
export const isThere = (program: string, question = "--version"): boolean => {
  try {
    execFileSync(program, [question], { stdio: "ignore" })
    return true
  } catch {
    console.warn(`There is no ${program}: tests that run it are skipped.`)
    return false
  }
}
