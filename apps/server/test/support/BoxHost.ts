/**
 * A program that hosts a sandboxed program as the server does, to be killed. Arguments: a world as JSON, and a script. Passes on what the
 * script prints.
 */
import * as Effect from "effect/Effect"
import { started } from "./Boxes.ts"

const [place = "", script = ""] = process.argv.slice(2)

const main = Effect.gen(function* () {
  const { child } = yield* started(JSON.parse(place), script)
  child.stdout.pipe(process.stdout)
  return yield* Effect.never
})

Effect.runFork(Effect.scoped(main))
