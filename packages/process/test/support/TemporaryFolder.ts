/** A folder that goes with the scope. */
import * as Effect from "effect/Effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "signalbox-test-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)
