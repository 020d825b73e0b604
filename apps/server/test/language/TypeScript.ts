/** The real typescript-language-server of npm, as settings name a language server. */
import { typescript } from "../../../../packages/lsp/test/support/Servers.ts"

const { id: _id, name: _name, ...entry } = typescript

/** `folder`: where it leaves its temporary files. */
export const typescriptIn = (folder: string) => ({ ...entry, env: { TMPDIR: folder } })
