/** The entry point. Compiled modules are kept, which halves the time until the first answer. */
import { enableCompileCache } from "node:module"
import { compileCache } from "./base/Installation.ts"

const cache = compileCache()
if (cache !== undefined) enableCompileCache(cache)

// Before any schema is used: decoding then runs as generated code.
await import("effect/schema/SchemaJITCompiler/enable")
const { main } = await import("./cli/Cli.ts")

main(process.argv.slice(2))
