import type { JsonObject } from "../Json.ts"
import type { Turn } from "./Turn.ts"

/**
 * Sends `cursor/update_todos`, `cursor/task` or `cursor/generate_image`: a request whose answer does not matter, which
 * early builds nevertheless waited for.
 */
export const announce = async (turn: Turn, method: string, params: JsonObject): Promise<void> => {
  const { connection } = turn.emulator
  if (turn.quirks.has("ext_as_notification")) {
    connection.notify(method, params)
    return
  }
  const settled = connection.request(method, params).then((answer) => {
    if (!answer.ok)
      turn.emulator.warn(
        `ACP extension notification failed ${JSON.stringify({ method, code: answer.code, error: answer.error["message"] })}`
      )
  })
  if (turn.quirks.has("ext_wait")) await turn.orCancelled(settled)
}
