/** The real typescript-language-server of npm, as settings name a language server. */
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const require = createRequire(new URL("../../../../packages/lsp/package.json", import.meta.url))

const fileOf = (name: string, file: string): string => join(dirname(require.resolve(`${name}/package.json`)), file)

/** `folder`: where it leaves its temporary files. */
export const typescriptIn = (folder: string) => ({
  command: process.execPath,
  args: [fileOf("typescript-language-server", "lib/cli.mjs"), "--stdio"],
  languages: ["typescript"],
  rootMarkers: ["tsconfig.json"],
  // TypeScript 7 has no tsserver. A syntax server would answer at once, and wrongly, while the project is read.
  initializationOptions: { tsserver: { path: fileOf("typescript-5", "lib/tsserver.js"), useSyntaxServer: "never" } },
  env: { TMPDIR: folder }
})
