/** `npm run package:vscode`: writes the package of the extension beside its sources. Its build comes first. */
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Vsix from "./Vsix.ts"

const folder = fileURLToPath(new URL("..", import.meta.url))
const { name, version }: Vsix.Extension = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
const file = join(folder, `${name}-${version}.vsix`)
const count = await Vsix.write(folder, file)
console.log(`${file}: ${count} files, ${(statSync(file).size / 1_000_000).toFixed(2)} MB`)
