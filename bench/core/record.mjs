// `node record.mjs FOLDER EVENTS`: writes a database with one thread of so many events. An export folds it: all of it is rows then.
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { report, since, started } from "../measure.mjs"
import { history, withHost } from "./host.mjs"

const [, , folder, events] = process.argv
const from = started()
await withHost(join(folder, "signalbox.sqlite"), (host) =>
  Effect.andThen(history(host, "t", Number(events)), Stream.runDrain(host.threads.export("t")))
)
report(since(from))
