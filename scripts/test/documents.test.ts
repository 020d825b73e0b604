/** What documents point at exists: links, files that they name, and the pages of decisions. */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "vitest"
import { filesOf, root } from "./support/Prose.ts"

const read = (path: string): string => readFileSync(join(root, path), "utf8")

/** GitHub's name of a heading in an address: `## Nothing left running` is `#nothing-left-running`. */
const anchorsOf = (markdown: string): ReadonlyArray<string> =>
  [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(" ", "-")
  )

const withoutCode = (markdown: string): string =>
  markdown.replaceAll(/^(```|~~~)[\s\S]*?^\1.*$/gm, "").replaceAll(/`[^`\n]*`/g, "")

/** The files and folders that a document names by their paths from the root, as code. */
const pathsIn = (markdown: string): ReadonlyArray<string> =>
  [...markdown.matchAll(/`((?:apps|packages|scripts|docs|bench|bin)\/[\w./-]+)`/g)].map(([, path = ""]) => path)

describe("documents", () => {
  it("link only to what exists", () => {
    for (const file of filesOf("{*.md,.github/**/*.md,{docs,apps,packages,bench,scripts}/**/*.md}"))
      for (const [link, target = ""] of withoutCode(read(file)).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(target)) continue
        const [path = "", anchor] = target.split("#")
        const found = path === "" ? file : join(dirname(file), path)
        assert.isTrue(existsSync(join(root, found)), `${file}: ${link}`)
        if (anchor !== undefined) assert.include(anchorsOf(read(found)), anchor, `${file}: ${link}`)
      }
  })

  it("name only files that exist", () => {
    for (const file of ["CONTRIBUTING.md", "README.md", "ARCHITECTURE.md", ...filesOf("docs/*.md")])
      for (const path of pathsIn(read(file))) assert.isTrue(existsSync(join(root, path)), `${file}: ${path}`)
  })

  it("stand in the list of all documents", () => {
    const list = read("docs/README.md")
    for (const file of filesOf("docs/*.md").filter((file) => file !== "docs/README.md"))
      assert.include(list, `(${file.slice("docs/".length)})`, file)
  })
})

describe("decisions", () => {
  const decisions = filesOf("docs/adr/*.md")
  const architecture = read("ARCHITECTURE.md")

  it("are numbered without gaps, dated, and have the same parts", () => {
    for (const [index, file] of decisions.entries()) {
      const number = String(index + 1).padStart(4, "0")
      assert.match(file, new RegExp(`^docs/adr/${number}-[a-z0-9-]+\\.md$`))
      const text = read(file)
      assert.match(text, new RegExp(`^# ${number}\\. .+\n\nDate: \\d{4}-\\d{2}-\\d{2}\n`), file)
      const parts = [...text.matchAll(/^## (.+)$/gm)].map(([, part]) => part)
      assert.deepStrictEqual(parts, ["Context", "Decision", "Consequence"], file)
    }
  })

  it("stand in ARCHITECTURE.md with their titles", () => {
    for (const file of decisions) assert.include(architecture, `[${/^# (.+)$/m.exec(read(file))?.[1]}](${file})`)
  })
})
