/** The installation of code-server, in a fixed version. Tests take VS Code's own server and workbench from it. */
import { existsSync } from "node:fs"
import { homedir } from "node:os"
import { join, resolve } from "node:path"

/** It has VS Code 1.139.1. */
export const version = "4.139.1"

const userCache = (): string => process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache")

/** The folder of the installation. `SIGNALBOX_CODE_SERVER` names another one. */
export const folder = resolve(
  process.env["SIGNALBOX_CODE_SERVER"] || join(userCache(), "signalbox", `code-server-${version}`)
)

/** The folder of VS Code in it. */
export const vscodeFolder = join(folder, "node_modules", "code-server", "lib", "vscode")

/** The folder of the extensions that come with VS Code. */
export const extensionsFolder = join(vscodeFolder, "extensions")

/** The program of VS Code's server. */
export const serverProgram = join(vscodeFolder, "out", "server-main.js")

/** The file that is written last. An installation that was cut short does not have it, nor does that of an older script. */
export const completeFile = join(folder, "complete-2")

export const isInstalled = (): boolean => existsSync(serverProgram) && existsSync(completeFile)

/** Whether a machine without it fails its tests, which are skipped elsewhere. */
export const isRequired = process.env["SIGNALBOX_REQUIRE_VSCODE"] === "1"
