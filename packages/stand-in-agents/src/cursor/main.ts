import { enableCompileCache } from "node:module"
import { fileURLToPath } from "node:url"

// Tests start this program hundreds of times: with the stripped and compiled modules kept, it is up in half the time.
// Without a place to keep them it works all the same.
enableCompileCache(fileURLToPath(new URL("../../../../node_modules/.cache/cursor-emulator", import.meta.url)))
await import("./cli.ts")
