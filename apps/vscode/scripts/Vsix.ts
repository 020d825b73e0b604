/** The package of the extension: a zip with a manifest, as VS Code installs it. */
import { createWriteStream, globSync, readFileSync, statSync } from "node:fs"
import { extname, join } from "node:path"
import { pipeline } from "node:stream/promises"
import { ZipFile } from "yazl"

/** What of package.json stands in the manifest, too. */
export interface Extension {
  readonly name: string
  readonly publisher: string
  readonly version: string
  readonly displayName: string
  readonly description: string
  readonly categories: ReadonlyArray<string>
  readonly engines: { readonly vscode: string }
}

/** Members of package.json that only this repository needs. */
const ofRepository: ReadonlySet<string> = new Set(["private", "scripts", "dependencies", "devDependencies", "type"])

/** Files of the package, from the folder of the extension. */
const files = ["README.md", "LICENSE", "media/**", "dist/**"]

const escaped = (text: string): string => text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`)

const manifestOf = (extension: Extension): string => {
  const { categories, description, displayName, engines, name, publisher, version } = extension
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${escaped(name)}" Version="${escaped(version)}" Publisher="${escaped(publisher)}"/>
    <DisplayName>${escaped(displayName)}</DisplayName>
    <Description xml:space="preserve">${escaped(description)}</Description>
    <Categories>${escaped(categories.join(","))}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escaped(engines.vscode)}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE" Addressable="true"/>
  </Assets>
</PackageManifest>
`
}

const typesOf = (names: ReadonlyArray<string>): string => {
  const kinds: Readonly<Record<string, string>> = {
    ".json": "application/json",
    ".js": "application/javascript",
    ".cjs": "application/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".md": "text/markdown",
    ".vsixmanifest": "text/xml"
  }
  const found = [...new Set([...names.map((name) => extname(name)), ".vsixmanifest", ".json"])].filter(
    (ext) => ext !== ""
  )
  const lines = found
    .toSorted()
    .map((ext) => `  <Default Extension="${ext}" ContentType="${kinds[ext] ?? "application/octet-stream"}"/>`)
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
${lines.join("\n")}
  <Override PartName="/extension/LICENSE" ContentType="text/plain"/>
</Types>
`
}

/** A fixed time for all files, so that equal files give equal packages. */
const mtime = new Date(Date.UTC(2026, 0, 1))

/** Writes the package of what is built in `folder`. Returns the number of its files. */
export const write = async (folder: string, to: string): Promise<number> => {
  const extension: Extension & Readonly<Record<string, unknown>> = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8")
  )
  const names = globSync(files, { cwd: folder })
    .filter((name) => statSync(join(folder, name)).isFile())
    .toSorted()
  const zip = new ZipFile()
  const add = (text: string, name: string): void => zip.addBuffer(Buffer.from(text), name, { mtime })
  add(manifestOf(extension), "extension.vsixmanifest")
  add(typesOf(names), "[Content_Types].xml")
  const kept = Object.entries(extension).filter(([name]) => !ofRepository.has(name))
  add(JSON.stringify(Object.fromEntries(kept), undefined, 2), "extension/package.json")
  for (const name of names) zip.addFile(join(folder, name), `extension/${name.replaceAll("\\", "/")}`, { mtime })
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(to))
  return names.length + 1
}
