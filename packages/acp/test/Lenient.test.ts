import { lenientSuite } from "./lenientSuite.ts"

lenientSuite("interpreted")
