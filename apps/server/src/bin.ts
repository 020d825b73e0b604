/** The entry point. Compiled modules are kept, which halves the time until the first answer. */
import { enableCompileCache } from "node:module"
import { inRepository } from "./Repository.ts"

// In the repository and not in the machine's common folder for temporary files: what is in there is run.
enableCompileCache(inRepository("node_modules", ".cache", "signalbox"))

// Before any schema is used: decoding then runs as generated code.
await import("effect/schema/SchemaJITCompiler/enable")
const { main } = await import("./cli/Cli.ts")

main(process.argv.slice(2))
