/** The entry point. Compiled modules are kept, which halves the time until the first answer. */
import { enableCompileCache } from "node:module"
import { compileCache } from "./base/Installation.ts"
import { fromCommand } from "./cli/Arguments.ts"
import * as EndNow from "./cli/terminal/EndNow.ts"

const args = process.argv.slice(2)
// Loading takes longer than a hand on the keys. Other commands end by the signal, as the system has it.
if (fromCommand(args)[0] === "run") EndNow.listen()

const cache = compileCache()
if (cache !== undefined) enableCompileCache(cache)

// Before any schema is used: decoding then runs as generated code.
await import("effect/schema/SchemaJITCompiler/enable")
const { main } = await import("./cli/Cli.ts")

main(args)
