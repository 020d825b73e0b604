/** The folders in which an agent is served in this window. The server has checked each path already; this is the second look. */
import { ErrorCode, RpcError } from "@signalbox/acp/JsonRpc"
import { isWithin } from "@signalbox/contracts/Paths"
import { codeOf } from "@signalbox/system/SystemError"
import { lstat, realpath } from "node:fs/promises"
import * as path from "node:path"

/** The place that a path leads to, without links. Rejects with words if that is in none of the folders. */
export const placeOf = async (folders: ReadonlyArray<string>, given: string): Promise<string> => {
  if (!path.isAbsolute(given)) throw RpcError.invalidParams(`${given} is no absolute path.`)
  const place = await follow(path.resolve(given))
  const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)))
  if (roots.some((root) => root !== undefined && isWithin(root, place))) return place
  throw RpcError.invalidParams(`${given} is in no folder of this window of VS Code.`)
}

/** The last parts need not be there. */
const follow = async (given: string): Promise<string> => {
  try {
    return await realpath(given)
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || path.dirname(given) === given) throw error
  }
  const isLink = await lstat(given).then(
    (found) => found.isSymbolicLink(),
    () => false
  )
  if (isLink)
    throw new RpcError({ code: ErrorCode.ResourceNotFound, message: `${given} is a link to what does not exist.` })
  return path.join(await follow(path.dirname(given)), path.basename(given))
}
