/** A server that a dependency declares, as it is started: who declares it where, and the exact command line. */
import { join } from "node:path"
import type { PackageKnowledge } from "../knowledge/Knowledge.ts"
import type { ServerDeclaration } from "../knowledge/Metadata.ts"
import * as CommandLine from "../tools/CommandLine.ts"

export interface DeclaredServer extends ServerDeclaration {
  /** Names it in one session: ecosystem, package and server. */
  readonly key: string
  /** The package and the server, for sentences. */
  readonly title: string
  /** The exact command line, with its variables. */
  readonly commandLine: string
  /** Who declares it, and in which file, for people. */
  readonly declaredBy: string
}

const manifests = { npm: "package.json", cargo: "Cargo.toml" }

/** A word that begins with `./` is a path in the package, since the program runs elsewhere. */
const inPackage = (folder: string, word: string): string => (word.startsWith("./") ? join(folder, word) : word)

export const of = (found: PackageKnowledge, declared: ServerDeclaration): DeclaredServer => {
  const { ecosystem, folder, name, version, via } = found
  const server = {
    ...declared,
    command: inPackage(folder, declared.command),
    args: declared.args.map((word) => inPackage(folder, word))
  }
  const file = join(folder, manifests[ecosystem])
  const named = via === undefined ? "" : `, which ${via} names`
  return {
    ...server,
    key: JSON.stringify([ecosystem, name, server.name]),
    title: `the MCP server ${server.name} of ${name}`,
    commandLine: CommandLine.of(server),
    declaredBy: `${name} ${version} (${ecosystem})${named}, in ${file}`
  }
}
