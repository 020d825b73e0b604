/** `npm run rooms` over small repositories: what it finds, and what it lets pass. */
import { afterEach, assert, describe, it } from "vitest"
import { print } from "../rooms/Finding.ts"
import * as Survey from "../rooms/Survey.ts"
import { manifest, remove, repository, room } from "./support/Repositories.ts"

afterEach(remove)

/** What is found in a repository, but for the generated files. */
const found = (files: Readonly<Record<string, string | object>>): ReadonlyArray<string> =>
  Survey.findings(Survey.make(repository(files)))
    .filter(({ where }) => where !== "ARCHITECTURE.md" && where !== ".oxlintrc.rooms.json")
    .map(print)

/** A repository of one package, with the rooms `high` and `low`. */
const one = (files: Readonly<Record<string, string>>, high = room(["low"]), low = room()) => ({
  "rooms.json": { "packages/one/src": { high, low } },
  "packages/one/package.json": manifest("@box/one"),
  ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`packages/one/src/${path}`, text]))
})

const only = (findings: ReadonlyArray<string>): string => {
  assert.lengthOf(findings, 1, findings.join("\n"))
  return findings[0] ?? ""
}

describe("a repository whose imports are permitted", () => {
  it("passes", () => {
    const files = { "high/A.ts": `import "../low/B.ts"\nimport "./C.ts"\n`, "high/C.ts": "", "low/B.ts": "" }
    assert.isEmpty(found(one(files)))
  })
})

describe("a cycle", () => {
  it("of files is named by its shortest path, with the lines, though only types lead back", () => {
    const files = {
      "low/A.ts": `import "./Far.ts"\nimport { b } from "./B.ts"\n`,
      "low/B.ts": `\n\nimport type { A } from "./A.ts"\n`,
      "low/Far.ts": `import "./Farther.ts"\n`,
      "low/Farther.ts": `import "./A.ts"\n`,
      "high/C.ts": `import "../low/A.ts"\n`
    }
    const text = only(found(one(files)))
    const [a, b] = ["packages/one/src/low/A.ts", "packages/one/src/low/B.ts"]
    assert.include(text, `A cycle of files: ${a} → ${b} → ${a}\n`)
    assert.include(text, `${a}:2 imports ${b}`)
    assert.include(text, `${b}:3 imports ${a}`)
  })

  it("of rooms is found though no two files import each other", () => {
    const files = {
      "high/A.ts": `import "../low/B.ts"\n`,
      "high/Z.ts": "",
      "low/B.ts": "",
      "low/Y.ts": `import type { Z } from "../high/Z.ts"\n`
    }
    const text = only(found(one(files, room(["low"]), room(["high"]))))
    const [high, low] = ["packages/one/src/high", "packages/one/src/low"]
    assert.include(text, `A cycle of rooms: ${high} → ${low} → ${high}\n`)
    assert.include(text, `${low}/Y.ts:1 imports ${high}/Z.ts`)
  })

  it("of a room and the files on its level is one of rooms", () => {
    const list = { high: room(["*"]), "*": room(["high"]) }
    const text = only(
      found({
        "rooms.json": { "packages/one/src": list },
        "packages/one/package.json": manifest("@box/one"),
        "packages/one/src/top.ts": `import "./high/A.ts"\n`,
        "packages/one/src/high/A.ts": "",
        "packages/one/src/high/B.ts": `import "../top.ts"\n`
      })
    )
    assert.include(text, "A cycle of rooms: packages/one/src/* → packages/one/src/high → packages/one/src/*")
    assert.include(text, "packages/one/src/top.ts:1 imports packages/one/src/high/A.ts")
  })

  it("of packages is found though no two rooms import each other", () => {
    const text = only(
      found({
        "rooms.json": {
          "packages/one/src": { a: room(["@box/two"]), b: room() },
          "packages/two/src": { a: room(), b: room(["@box/one"]) }
        },
        "packages/one/package.json": manifest("@box/one"),
        "packages/two/package.json": manifest("@box/two"),
        "packages/one/src/a/A.ts": `import "@box/two/a/A"\n`,
        "packages/one/src/b/B.ts": "",
        "packages/two/src/a/A.ts": "",
        "packages/two/src/b/B.ts": `import "@box/one/b/B"\n`
      })
    )
    assert.include(text, "A cycle of packages: packages/one → packages/two → packages/one")
  })

  const ways = {
    "an import": `import { a } from "../low/A.ts"`,
    "an import of a type": `import type { A } from "../low/A.ts"`,
    "an import of one type among values": `import { type A } from "../low/A.ts"`,
    "an import for its effects": `import "../low/A.ts"`,
    "an export of all": `export * from "../low/A.ts"`,
    "an export of a type": `export type { A } from "../low/A.ts"`,
    "a dynamic import": `const a = await import("../low/A.ts")`,
    "a dynamic import in a template": "const a = await import(`../low/A.ts`)",
    "a type that imports": `export type A = import("../low/A.ts").A`,
    "the name of its own package": `import { a } from "@box/one/low/A"`
  }
  it.each(Object.entries(ways))("counts %s", (_, way) => {
    const files = { "low/A.ts": `import "../high/B.ts"`, "high/B.ts": `// Comment.\n${way}\n` }
    const findings = found(one(files, room(["low"]), room(["high"])))
    assert.isTrue(findings.some((text) => text.includes("packages/one/src/high/B.ts:2 imports")))
  })

  it("is none where a text or a comment looks like an import", () => {
    const files = {
      "low/A.ts": `// import "../high/B.ts"\nexport const a = 'import "../high/B.ts"'\n`,
      "high/B.ts": ""
    }
    assert.isEmpty(found(one(files, room())))
  })
})

describe("an import that the list does not permit", () => {
  it("is reported with its line, both rooms, and what to do", () => {
    const text = only(found(one({ "high/A.ts": "", "low/B.ts": `\nimport "../high/A.ts"\n` }, room())))
    assert.include(text, "packages/one/src/low/B.ts:2: packages/one/src/low imports high")
    assert.include(text, `Next: Move what both need into a room that both may import, or add "high"`)
  })

  it("is none where the list names the room of another package by the package", () => {
    const files = {
      "rooms.json": { "packages/one/src": { a: room(["@box/two"]) }, "packages/two/src": { b: room(), "*": room() } },
      "packages/one/package.json": manifest("@box/one"),
      "packages/two/package.json": manifest("@box/two", { ".": "./src/index.ts", "./*": "./src/*.ts", "./b/*": null }),
      "packages/two/src/index.ts": "",
      "packages/two/src/b/B.ts": "",
      "packages/two/src/C.ts": ""
    }
    const path = "packages/one/src/a/A.ts"
    assert.isEmpty(found({ ...files, [path]: `import "@box/two"\nimport "@box/two/C"\n` }))
    const hidden = found({ ...files, [path]: `import "@box/two"\nimport "@box/two/b/B"\n` })
    assert.include(only(hidden), `${path}:2: packages/one/src/a imports @box/two/b/B, which is not there.`)
    const reaching = found({ ...files, [path]: `import "@box/two"\nimport "../../../two/src/C.ts"\n` })
    assert.include(only(reaching), `${path}:2: packages/one/src/a reaches into another package by a path`)
  })

  it("is refused in internal/ for a public module, whatever the list says", () => {
    const list = { "*": room(), internal: room(["*"]) }
    const text = only(
      found({
        "rooms.json": { "packages/one/src": list },
        "packages/one/package.json": manifest("@box/one"),
        "packages/one/src/Public.ts": "",
        "packages/one/src/internal/deep/A.ts": `import type { P } from "../../Public.ts"\n`
      })
    )
    assert.include(
      text,
      "packages/one/src/internal/deep/A.ts:1: packages/one/src/internal imports the public *: ../../Public.ts."
    )
  })

  it("of a file that is not there is reported", () => {
    assert.include(
      only(found(one({ "high/A.ts": `import "./Gone.ts"`, "low/B.ts": "" }, room()))),
      "high/A.ts:1: packages/one/src/high imports ./Gone.ts, which is not there."
    )
  })

  it("is reported for the files of a level with one entry, and for a file with its own", () => {
    const text = only(
      found({
        "rooms.json": { "apps/one/src": { "main.ts": room(["*"]), "*": room() } },
        "apps/one/package.json": manifest("@box/one"),
        "apps/one/src/main.ts": `import "./One.ts"\n`,
        "apps/one/src/One.ts": `import "./Two.ts"\n`,
        "apps/one/src/Two.ts": `import "./main.ts"\n`
      }).filter((each) => !each.startsWith("A cycle"))
    )
    assert.include(text, "apps/one/src/Two.ts:1: apps/one/src/* imports main.ts")
  })
})

describe("a room with a door", () => {
  const importing = (path: string, ...door: ReadonlyArray<string>) =>
    found(
      one(
        {
          "high/A.ts": `import "../low/${path}"\n`,
          "low/Door.ts": `import "./kind/Kind.ts"\n`,
          "low/kind/Kind.ts": ""
        },
        room(["low"]),
        {
          ...room(),
          door
        }
      )
    )

  it("lets other rooms import what stands in it", () => {
    assert.isEmpty(importing("Door.ts", "Door.ts"))
    assert.isEmpty(importing("kind/Kind.ts", "kind/Kind.ts"))
  })

  it("lets them import nothing else of the room", () => {
    const [text] = importing("kind/Kind.ts", "Door.ts")
    assert.include(
      text,
      "high/A.ts:1: packages/one/src/high imports ../low/kind/Kind.ts, which is not a door of packages/one/src/low."
    )
  })

  it("has no file in it that no other room imports", () => {
    assert.include(
      only(importing("Door.ts", "Door.ts", "kind/Kind.ts")),
      "has kind/Kind.ts in the door of packages/one/src/low"
    )
  })
})

describe("a module from outside", () => {
  const importing = (module: string, ...uses: ReadonlyArray<string>) =>
    found(one({ "high/A.ts": `import "${module}"\n`, "low/B.ts": "" }, room([], uses)))

  it("is refused in a room that does not list it", () => {
    assert.include(only(importing("node:fs")), "high/A.ts:1: packages/one/src/high imports node:fs")
    assert.include(only(importing("effect/Effect")), "packages/one/src/high imports effect,")
    assert.include(only(importing("@scope/thing/part")), "packages/one/src/high imports @scope/thing,")
  })

  it("is permitted with all below it, and by its beginning", () => {
    assert.isEmpty(importing("effect/Effect", "effect"))
    assert.isEmpty(importing("node:fs/promises", "node:*"))
    assert.lengthOf(importing("effective", "effect"), 2)
  })

  it("that one room lists by itself is permitted to no other room by a wider entry", () => {
    const files = { "high/A.ts": `import "node:sqlite"\nimport "node:fs"\n`, "low/B.ts": `import "node:sqlite"\n` }
    const text = only(found(one(files, room([], ["node:*"]), room([], ["node:sqlite"]))))
    assert.include(text, "high/A.ts:1: packages/one/src/high imports node:sqlite")
  })
})

describe("the list itself", () => {
  const files = { "high/A.ts": `import "../low/B.ts"\n`, "low/B.ts": "" }

  it("has every room", () => {
    const text = only(found(one({ ...files, "other/C.ts": "" })))
    assert.include(text, "packages/one/src/other is not in rooms.json.")
  })

  it("has every room of a package that it does not know", () => {
    const text = only(
      found({ ...one(files), "apps/two/package.json": manifest("@box/two"), "apps/two/src/a/A.ts": "" })
    )
    assert.include(text, "apps/two/src/a is not in rooms.json.")
  })

  it("has every room below a folder that it divides", () => {
    const list = { "high/upper": room(), low: room() }
    const text = only(
      found({
        "rooms.json": { "packages/one/src": list },
        "packages/one/package.json": manifest("@box/one"),
        "packages/one/src/high/upper/A.ts": "",
        "packages/one/src/high/lower/A.ts": "",
        "packages/one/src/low/B.ts": ""
      })
    )
    assert.include(text, "packages/one/src/high/lower is not in rooms.json.")
  })

  it("has no room without files", () => {
    assert.include(
      only(found(one({ "high/A.ts": "" }, room()))),
      "rooms.json lists packages/one/src/low, where no file is."
    )
  })

  it("has no permission that nobody needs", () => {
    assert.include(only(found(one({ ...files, "high/A.ts": "" }))), "permits packages/one/src/high to import low")
    const unused = found(one(files, room(["low"], ["effect"])))
    assert.include(only(unused), "permits packages/one/src/high to import effect, and no file there does")
  })

  it("says what each room holds", () => {
    const text = only(found(one(files, { ...room(["low"]), holds: "" })))
    assert.include(text, "rooms.json does not say what packages/one/src/high holds.")
  })

  it.each([
    [{ "packages/one/src": { high: { imports: [], uses: [] } } }, /high has no sentence in "holds"/],
    [{ "packages/one/src": { high: { holds: "", imports: "low", uses: [] } } }, /high has no list in "imports"/],
    [
      { "packages/one/src": { high: { holds: "", imports: [1], uses: [] } } },
      /something other than names in "imports"/
    ],
    [{ "packages/one/src": { high: { ...room(), except: [] } } }, /high has the unknown field "except"/],
    [{ "packages/one/src": [] }, /packages\/one\/src is not an object/]
  ])("that is malformed is refused in words: %j", (list, words) => {
    assert.throws(() => Survey.make(repository({ ...one(files), "rooms.json": list })), words)
  })
})
