/** Calls and streams of the page that outlive a connection. */
import * as Following from "@signalbox/client/Following"
import * as Persistence from "@signalbox/client/Persistence"
import { clientAfter } from "./link.ts"

export const persistently = Persistence.persistently(clientAfter)

/** The page is painted at most this often. */
const paintEvery = "50 millis"

export const following = Following.following(clientAfter, paintEvery)
