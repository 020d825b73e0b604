/** What `npm run rooms` writes from the list: the tables of ARCHITECTURE.md, the lint rules, and a draft of the list itself. */
import { spawnSync } from "node:child_process"
import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, assert, describe, it } from "vitest"
import { manifest, remove, repository, room } from "./support/Repositories.ts"

afterEach(remove)

const root = join(import.meta.dirname, "../..")
const begin = "<!-- rooms: written by `npm run rooms -- --write` from rooms.json -->"
const end = "<!-- /rooms -->"

const list = {
  "packages/one/src": {
    base: { ...room(), door: ["Base.ts"] },
    storage: room(["base"], ["node:sqlite"]),
    "provider/Services": room(["base"]),
    "provider/acp/session": room(["base", "provider/Services"], ["effect", "node:*"]),
    "provider/acp/*": room(["provider/acp/session"]),
    "*": room(["provider/acp/*"]),
    "main.ts": room(["*", "storage", "@box/two"])
  },
  "packages/two/src": { "*": room() },
  "packages/one/chaos": { "*": room(["packages/one/src/*", "packages/one/src/base"]) }
}

const files = {
  "rooms.json": list,
  "ARCHITECTURE.md": `# House\n\n${begin}\nold\n${end}\n\nMore.\n`,
  "packages/one/package.json": manifest("@box/one"),
  "packages/two/package.json": manifest("@box/two"),
  "packages/two/src/Two.ts": "export {}\n",
  "packages/one/src/base/Base.ts": `import "./Part.ts"\n`,
  "packages/one/src/base/Part.ts": "export {}\n",
  "packages/one/src/storage/Store.ts": `import "../base/Base.ts"\nimport "node:sqlite"\n`,
  "packages/one/src/provider/Services/Service.ts": `import "../../base/Base.ts"\n`,
  "packages/one/src/provider/acp/session/Session.ts": `import "../../../base/Base.ts"\nimport "./deep/Deep.ts"\nimport "effect/Effect"\n`,
  "packages/one/src/provider/acp/session/deep/Deep.ts": `import "../../../Services/Service.ts"\nimport "../Other.ts"\nimport "node:fs/promises"\n`,
  "packages/one/src/provider/acp/session/Other.ts": "export {}\n",
  "packages/one/src/provider/acp/Acp.ts": `import "./session/Session.ts"\n`,
  "packages/one/src/One.ts": `import "./provider/acp/Acp.ts"\nimport "./Other.ts"\n`,
  "packages/one/src/Other.ts": "export {}\n",
  "packages/one/src/main.ts": `import "./One.ts"\nimport "./storage/Store.ts"\nimport "@box/two/Two"\n`,
  "packages/one/chaos/Chaos.ts": `import "../src/One.ts"\nimport "../src/base/Base.ts"\nimport "./Other.ts"\n`,
  "packages/one/chaos/Other.ts": "export {}\n",
  ".oxlintrc.json": { extends: ["./.oxlintrc.rooms.json"], categories: { correctness: "off" } }
}

const rooms = (repository: string, ...args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, [join(root, "scripts/rooms/main.ts"), "--root", repository, ...args], {
    encoding: "utf8"
  })

/** The repository, with the rules of formatting that hold here. */
const copyOfFormat = (repository: string): string => {
  copyFileSync(join(root, ".oxfmtrc.json"), join(repository, ".oxfmtrc.json"))
  return repository
}

const lint = (repository: string) => {
  const { status, stdout } = spawnSync(join(root, "node_modules/.bin/oxlint"), ["--format", "unix"], {
    cwd: repository,
    encoding: "utf8"
  })
  return { status, lines: stdout.split("\n").filter((line) => line.includes("import is restricted")) }
}

describe("the generated files", () => {
  it("are refused when they are not what the list says, and written by --write", () => {
    const box = repository(files)
    const before = rooms(box)
    assert.strictEqual(before.status, 1)
    assert.include(before.stderr, "ARCHITECTURE.md: It is not what rooms.json says.")
    assert.include(before.stderr, ".oxlintrc.rooms.json: It is not what rooms.json says.")
    assert.strictEqual(rooms(box, "--write").status, 0)
    assert.strictEqual(rooms(box).status, 0)
    const document = readFileSync(join(box, "ARCHITECTURE.md"), "utf8")
    assert.include(document, "| `base` | Something. Its door: `Base.ts`. | – | – |")
    assert.include(document, "| `provider/Services` | Something. | `base` | – |")
    assert.isTrue(document.startsWith("# House\n\n") && document.endsWith(`\n${end}\n\nMore.\n`))
    writeFileSync(join(box, "ARCHITECTURE.md"), document.replace("Something.", "Anything."))
    assert.strictEqual(rooms(box).status, 1)
  })

  it("are told to need markers in a document without them", () => {
    const { status, stderr } = rooms(repository({ ...files, "ARCHITECTURE.md": "# House\n" }), "--write")
    assert.strictEqual(status, 1)
    assert.include(stderr, end)
  })
})

describe("the lint rules", () => {
  it("permit what the list permits", () => {
    const box = repository(files)
    rooms(box, "--write")
    assert.deepStrictEqual(lint(box), { status: 0, lines: [] })
  })

  const forbidden = {
    "a room above": ["packages/one/src/base/Base.ts", "../storage/Store.ts"],
    "a room above, from a folder of a room": ["packages/one/src/provider/acp/session/deep/Deep.ts", "../../Acp.ts"],
    "a room of another level": ["packages/one/src/provider/acp/session/Session.ts", "../../../storage/Store.ts"],
    "a file on the level": ["packages/one/src/base/Base.ts", "../One.ts"],
    "a file behind a door": ["packages/one/src/storage/Store.ts", "../base/Part.ts"],
    "a file with an entry of its own": ["packages/one/src/One.ts", "./main.ts"],
    "a room from a file on its level": ["packages/one/src/One.ts", "./base/Base.ts"],
    "another package": ["packages/one/src/base/Base.ts", "@box/two/Two"],
    "a module from outside": ["packages/one/src/base/Base.ts", "node:fs"],
    "a module that another room lists": ["packages/one/src/provider/acp/session/Session.ts", "node:sqlite"],
    "a room of another tree": ["packages/one/chaos/Chaos.ts", "../src/storage/Store.ts"]
  } as const
  it.each(Object.entries(forbidden))("forbid %s, as the check does", (_, [file, specifier]) => {
    const box = repository({ ...files, [file]: `${files[file]}import "${specifier}"\n` })
    const told = rooms(box, "--write")
    assert.include(told.stderr, specifier)
    const { lines } = lint(box)
    assert.lengthOf(lines, 1)
    assert.include(lines[0], file)
    assert.include(lines[0], `'${specifier}'`)
  })
})

describe("a draft", () => {
  it("is the list as the imports are, with the sentences that are there", () => {
    const box = repository({ ...files, "packages/one/src/storage/Store.ts": `import "node:fs"\n` })
    const drafted: typeof list = JSON.parse(rooms(box, "--draft").stdout)
    const { storage } = drafted["packages/one/src"]
    assert.deepStrictEqual(storage, { holds: "Something.", imports: [], uses: ["node:*"] })
    writeFileSync(join(box, "rooms.json"), JSON.stringify(drafted))
    assert.deepInclude(rooms(box, "--write"), { status: 0, stderr: "" })
  })

  it("is written by --write, laid out as the formatter does, and asks for the sentence of what is new", () => {
    const names = Array.from({ length: 30 }, (_, index) => `room${index}`)
    const box = repository({
      ...files,
      ...Object.fromEntries(names.map((name) => [`packages/one/src/${name}/A.ts`, ""])),
      "packages/one/src/storage/Store.ts": names.map((name) => `import "../${name}/A.ts"\n`).join("")
    })
    const { stderr } = rooms(box, "--draft", "--write")
    for (const name of names) assert.include(stderr, `rooms.json does not say what packages/one/src/${name} holds.`)
    assert.include(stderr, "30 findings")
    const { status } = spawnSync(join(root, "node_modules/.bin/oxfmt"), ["--check", "rooms.json"], {
      cwd: copyOfFormat(box)
    })
    assert.strictEqual(status, 0)
  })

  it("puts each room behind those that it imports", () => {
    const { stdout } = rooms(repository(files), "--draft")
    const drafted: typeof list = JSON.parse(stdout)
    const order = Object.keys(drafted["packages/one/src"])
    assert.isBelow(order.indexOf("base"), order.indexOf("storage"))
    assert.isBelow(order.indexOf("provider/acp/session"), order.indexOf("provider/acp/*"))
    assert.strictEqual(order.at(-1), "main.ts")
  })
})

describe("a list that cannot be read", () => {
  it("ends with exit code 2 and a sentence", () => {
    const { status, stderr } = rooms(repository({ ...files, "rooms.json": { "packages/one/src": [] } }))
    assert.strictEqual(status, 2)
    assert.strictEqual(stderr, "packages/one/src is not an object.\n")
  })
})
