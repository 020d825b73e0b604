/** Language servers for tests: real ones of npm, and what every test of them needs. */
import { ProcessLedger } from "@signalbox/process/ProcessLedger"
import * as ProcessLedgerLayer from "@signalbox/process/ProcessLedgerLayer"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { mkdirSync, realpathSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { scopedFolder } from "../../../system/test/support/TemporaryFolder.ts"
import type { ServerDefinition } from "../../src/ServerDefinition.ts"
import * as LanguageServers from "../../src/servers/LanguageServers.ts"

const require = createRequire(import.meta.url)

/** A file of a package of npm. */
const fileOf = (name: string, file: string): string => join(dirname(require.resolve(`${name}/package.json`)), file)

const node = (path: string, ...args: ReadonlyArray<string>) => ({
  command: process.execPath,
  args: [path, ...args]
})

export const typescript: ServerDefinition = {
  id: "typescript",
  name: "TypeScript language server",
  ...node(fileOf("typescript-language-server", "lib/cli.mjs"), "--stdio"),
  languages: ["typescript", "typescriptreact", "javascript", "javascriptreact"],
  rootMarkers: ["tsconfig.json", "package.json"],
  initializationOptions: {
    // TypeScript 7 has no tsserver. A syntax server would answer at once, and wrongly, while the project is read.
    tsserver: { path: fileOf("typescript-5", "lib/tsserver.js"), useSyntaxServer: "never" },
    disableAutomaticTypingAcquisition: true
  }
}

export const pyright: ServerDefinition = {
  id: "pyright",
  name: "Pyright",
  ...node(fileOf("pyright", "langserver.index.js"), "--stdio"),
  languages: ["python"],
  rootMarkers: ["pyproject.toml", "setup.py"],
  settings: { python: { analysis: { diagnosticMode: "openFilesOnly" } } }
}

export const yaml: ServerDefinition = {
  id: "yaml",
  name: "YAML language server",
  ...node(fileOf("yaml-language-server", "bin/yaml-language-server"), "--stdio"),
  languages: ["yaml"],
  rootMarkers: [],
  // No schema is fetched from the network.
  settings: { yaml: { validate: true, schemaStore: { enable: false } } }
}

export const bash: ServerDefinition = {
  id: "bash",
  name: "Bash language server",
  ...node(fileOf("bash-language-server", "out/cli.js"), "start"),
  languages: ["shellscript"],
  rootMarkers: []
}

/** Writes files into a new folder, which is removed with the scope. Returns its real path. */
export const project = Effect.fnUntraced(function* (files: Readonly<Record<string, string>>) {
  const folder = realpathSync(yield* scopedFolder)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
})

/** Long enough for any server on a busy machine. */
export const patient = {
  start: Duration.minutes(2),
  ready: Duration.minutes(2),
  answer: Duration.minutes(2),
  alone: Duration.minutes(2)
} as const

/** Servers for one folder, on record in a folder of their own. */
export const serversFor = Effect.fnUntraced(function* (
  folder: string,
  options: Omit<LanguageServers.Options, "folders" | "ledger">
) {
  const records = yield* scopedFolder
  const ledger = yield* Effect.provide(ProcessLedger, ProcessLedgerLayer.layer({ folder: records }))
  return yield* LanguageServers.make({
    limits: patient,
    ...options,
    // Servers leave files in the temporary folder.
    servers: options.servers.map((server) => ({ ...server, env: { ...server.env, TMPDIR: records } })),
    folders: () => [folder],
    ledger
  })
})
