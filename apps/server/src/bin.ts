import "effect/schema/SchemaJITCompiler/enable"
import { main } from "./cli/Cli.ts"

main(process.argv.slice(2))
