/** The entry point. Compiled modules are kept, which halves the time until the first answer. */
import { enableCompileCache } from "node:module"
import { fileURLToPath } from "node:url"

// In the repository and not in the machine's common folder for temporary files: what is in there is run.
enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/signalbox", import.meta.url)))

// Before any schema is used: decoding then runs as generated code.
await import("effect/schema/SchemaJITCompiler/enable")
const { main } = await import("./cli/Cli.ts")

main(process.argv.slice(2))
