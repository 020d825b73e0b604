/** Sends keys to a program, one call after the other, since concurrent calls may arrive in any order. */
import { maxKeys } from "@signalbox/contracts/SignIn"

/** Makes the line. Keys typed during a call go with the next one. Keys after the program's end are dropped. */
export const makeKeyLine = (send: (data: string) => Promise<void>): ((data: string) => void) => {
  let waiting = ""
  let busy = false
  const flush = async () => {
    busy = true
    while (waiting !== "") {
      const data = waiting.slice(0, maxKeys)
      waiting = waiting.slice(maxKeys)
      // After the end no program takes keys; the end has its own frame.
      await send(data).catch(() => {})
    }
    busy = false
  }
  return (data) => {
    waiting += data
    if (!busy) void flush()
  }
}
