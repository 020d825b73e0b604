/** Builds the mortal server as one file. A start from the sources costs twice the time of the processor, and a campaign has many. */
import * as Effect from "effect/Effect"
import { mkdirSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "vite"
import { inRepository } from "../src/base/Installation.ts"
import * as ServerLife from "./ServerLife.ts"

/** Returns the absolute path of the file. It is the same each time, so that Node finds its modules compiled. */
export const make: Effect.Effect<string> = Effect.promise(async () => {
  const built = await build({
    configFile: false,
    logLevel: "warn",
    root: inRepository("apps", "server"),
    build: {
      ssr: true,
      target: "node24",
      minify: false,
      write: false,
      rolldownOptions: { input: ServerLife.entry, output: { codeSplitting: false } }
    },
    ssr: { noExternal: true, external: ["@lydell/node-pty", "undici"] }
  })
  const files = [built].flat().flatMap((result) => ("output" in result ? result.output : []))
  const [file, ...others] = files
  if (file?.type !== "chunk" || others.length > 0) throw new Error(`The build has ${files.length} files, not one.`)
  const folder = inRepository(".tmp", "chaos")
  const path = join(folder, "MortalServer.js")
  mkdirSync(folder, { recursive: true })
  // Another campaign may run it.
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, file.code)
  renameSync(draft, path)
  return path
})
