/** Calls and streams of the page: those that outlive a connection, and those that must not. */
import * as Following from "@signalbox/client/Following"
import * as Once from "@signalbox/client/Once"
import * as Persistence from "@signalbox/client/Persistence"
import { clientAfter, clientNow } from "./link.ts"

export const persistently = Persistence.persistently(clientAfter)

export const once = Once.once(clientNow)

/** The page is painted at most this often. */
const paintEvery = "50 millis"

export const following = Following.following(clientAfter, paintEvery)
