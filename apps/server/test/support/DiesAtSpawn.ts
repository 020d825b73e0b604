/** With `node --import`: the program dies with SIGKILL in the moment in which it has started its first process. */
import childProcess from "node:child_process"
import { syncBuiltinESMExports } from "node:module"

const { spawn } = childProcess
Reflect.set(childProcess, "spawn", (...call: Parameters<typeof spawn>) => {
  const child = spawn(...call)
  process.kill(process.pid, "SIGKILL")
  return child
})
syncBuiltinESMExports()
