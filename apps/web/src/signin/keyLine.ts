/** Keys on their way to a program: one call after the other, since calls that go side by side may arrive in any order. */
import { maxKeys } from "@signalbox/contracts/SignIn"

/** What is typed while a call is under way goes along with the next one. Keys that nobody takes any more are dropped. */
export const makeKeyLine = (send: (data: string) => Promise<void>): ((data: string) => void) => {
  let waiting = ""
  let busy = false
  const flush = async () => {
    busy = true
    while (waiting !== "") {
      const data = waiting.slice(0, maxKeys)
      waiting = waiting.slice(maxKeys)
      // After the end there is nobody to type to; the end is told by its frame.
      await send(data).catch(() => {})
    }
    busy = false
  }
  return (data) => {
    waiting += data
    if (!busy) void flush()
  }
}
