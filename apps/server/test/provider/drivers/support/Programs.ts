import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Layer from "effect/Layer"
import { chmodSync, mkdirSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { HostEnvironment } from "../../../../src/provider/drivers/HostEnvironment.ts"
import { temporaryFolder } from "../../../../../../packages/system/test/support/TemporaryFolder.ts"

/** The Cursor emulator, as it stands in the repository. */
export const emulatorFolder = fileURLToPath(new URL("../../../../../../packages/stand-in-agents/bin", import.meta.url))
export const emulator = join(emulatorFolder, "cursor-agent")

export { temporaryFolder }

/** Writes a shell script that can be executed, unless `mode` says otherwise, and returns its path. */
export const script = (folder: string, name: string, body: string, mode = 0o755): string => {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, name)
  // Who looks at the file meanwhile finds the old one or the new one, and no part.
  const draft = `${path}.new`
  writeFileSync(draft, `#!/bin/sh\n${body}\n`)
  chmodSync(draft, mode)
  renameSync(draft, path)
  return path
}

/** A Cursor that says no more than its version and who is signed in. It notes every run in `runs.log` beside it. */
export const fakeCursor = (folder: string, name: string, version: string, login = "Not logged in"): string =>
  script(
    folder,
    name,
    `echo "$*" >> "$(dirname "$0")/runs.log"
case "$*" in
  --version) echo "${version}" ;;
  status) echo "${login}" ;;
  *) echo "error: unknown option '--format'" >&2; exit 1 ;;
esac`
  )

/** Node's services with this environment in place of ours. Programs find their shell and tools all the same. */
export const machine = (env: Readonly<Record<string, string | undefined>>) =>
  Layer.merge(NodeServices.layer, Layer.succeed(HostEnvironment, env))

/** Folders without a Cursor in which scripts find `sh`, `sleep`, `cat` and so on. */
export const systemFolders = "/usr/bin:/bin"

export const emulatorEnvironment = (more: Readonly<Record<string, string>> = {}) => ({
  PATH: `${emulatorFolder}:${systemFolders}`,
  HOME: process.env["HOME"],
  FAKE_CURSOR_STATE: temporaryFolder(),
  FAKE_CURSOR_TIME_SCALE: "0",
  ...more
})
