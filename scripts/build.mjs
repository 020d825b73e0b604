// Builds what has changed since the last build: for `npm start`, `npm test` and `npm run bench`. Words are further tasks: `bundle` is the
// extension of VS Code.
import { spawnSync } from "node:child_process"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const began = new Date()
const { error, status } = spawnSync(
  "turbo",
  ["run", "build", ...process.argv.slice(2), "--output-logs=errors-only", "--log-prefix=none"],
  {
    cwd: root,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" },
    stdio: "inherit"
  }
)
if (error !== undefined) throw error
if (status === 0) createRequire(import.meta.url)("./entry.cjs").confirm(root, began)
process.exitCode = status ?? 1
