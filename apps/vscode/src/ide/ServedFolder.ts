/** The folders of a session about whose code a window answers. */
import { isWithin } from "@signalbox/contracts/Paths"
import * as SessionFolder from "@signalbox/ide/files/SessionFolder"
import * as Effect from "effect/Effect"
import { resolve } from "node:path"

export interface Options {
  readonly cwd: string
  /** The folders of the session, as the server says. They count as far as the window has them. */
  readonly given: ReadonlyArray<string>
  /** The folders of the window. */
  readonly window: ReadonlyArray<string>
}

export const open = Effect.fnUntraced(function* ({
  cwd,
  given,
  window
}: Options): Effect.fn.Return<SessionFolder.SessionFolder> {
  const has = (folder: string) => window.some((one) => isWithin(one, folder))
  const taken = given.filter((one) => one !== cwd && has(one))
  const lacking = given.filter((one) => one !== cwd && !has(one))
  const folder = yield* SessionFolder.open(cwd, taken)

  /** Says it if the session has the place, and only this window has not. */
  const inWindow = <A>(path: string, what: Effect.Effect<A, SessionFolder.FolderRefused>) => {
    const place = resolve(cwd, path)
    const isLacking =
      lacking.some((one) => isWithin(one, place)) && ![cwd, ...taken].some((one) => isWithin(one, place))
    const message = `${path} is in no folder of this window of VS Code. Add its folder to the workspace there.`
    return isLacking ? Effect.fail(new SessionFolder.FolderRefused({ message })) : what
  }

  return {
    ...folder,
    follow: (path) => inWindow(path, folder.follow(path)),
    read: (path) => inWindow(path, folder.read(path))
  }
})
