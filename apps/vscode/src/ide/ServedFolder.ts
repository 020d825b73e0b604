/** The folders of a session about whose code a window answers. */
import { isWithin } from "@signalbox/contracts/Paths"
import * as SessionFolder from "@signalbox/ide/files/SessionFolder"
import type * as Effect from "effect/Effect"

export interface Options {
  readonly cwd: string
  /** The folders of the session, as the server says. They count as far as the window has them. */
  readonly given: ReadonlyArray<string>
  /** The folders of the window. */
  readonly window: ReadonlyArray<string>
}

export const open = ({ cwd, given, window }: Options): Effect.Effect<SessionFolder.SessionFolder> =>
  SessionFolder.open(
    cwd,
    given.filter((one) => one !== cwd && window.some((folder) => isWithin(folder, one)))
  )
