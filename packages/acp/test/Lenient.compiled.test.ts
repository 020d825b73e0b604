import "effect/schema/SchemaJITCompiler/enable"
import { lenientSuite } from "./lenientSuite.ts"

lenientSuite("compiled")
