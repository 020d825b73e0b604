/** The files of tests in the repository, by the short names that checklists have for them: `server/provider/acp/wire`. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** The folders of tests, by the word that checklists have for each. */
const folders = {
  acp: "packages/acp/test",
  lsp: "packages/lsp/test",
  ide: "packages/ide/test",
  conductor: "packages/conductor/test",
  contracts: "packages/contracts/test",
  system: "packages/system/test",
  process: "packages/process/test",
  archive: "packages/archive/test",
  permission: "packages/permission/test",
  redaction: "packages/redaction/test",
  loopback: "packages/loopback/test",
  client: "packages/client/test",
  threads: "packages/threads/test",
  "stand-in-agents": "packages/stand-in-agents/test",
  server: "apps/server/test",
  interop: "apps/server/interop",
  web: "apps/web/test",
  attach: "packages/attach/test",
  vscode: "apps/vscode/test",
  "vscode-host": "apps/vscode/host"
}

/** The text of each file, by its name. */
export const read = (root: string): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(folders).flatMap(([word, folder]) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((file) => /\.tsx?$/.test(file))
        .map(
          (file) =>
            [
              `${word}/${file.replaceAll("\\", "/").replace(/(?:\.test)?\.tsx?$/, "")}`,
              readFileSync(join(root, folder, file), "utf8")
            ] as const
        )
    )
  )
