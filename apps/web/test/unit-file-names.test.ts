/** Names of files in texts: what is one, what is none, and how long it takes to see that. */
import { assert, describe, it } from "@effect/vitest"
import { fileAddressed, fileNamed, filesIn } from "../src/text/fileNames.ts"

describe("a word", () => {
  it("is the name of a file, with its line", () => {
    for (const [word, path, line] of [
      ["src/a.ts", "src/a.ts", undefined],
      ["src/a.ts:12", "src/a.ts", 12],
      ["src/a.ts:12:3", "src/a.ts", 12],
      ["src/a.ts:12-20", "src/a.ts", 12],
      ["src/a.ts#L12", "src/a.ts", 12],
      ["src/a.ts#L12-L20", "src/a.ts", 12],
      ["src/a.ts(12,3)", "src/a.ts", 12],
      ["/project/src/a.ts:7", "/project/src/a.ts", 7],
      ["./a.test.ts", "./a.test.ts", undefined],
      ["../b/größe.md", "../b/größe.md", undefined],
      ["src/.eslintrc", "src/.eslintrc", undefined],
      ["app/[id].tsx", "app/[id].tsx", undefined],
      ["package.json", "package.json", undefined],
      ["notes.unusual:3", "notes.unusual", 3]
    ] as const)
      assert.deepStrictEqual(fileNamed(word), { path, ...(line !== undefined && { line }) }, word)
  })

  it("is none where it may be anything else", () => {
    for (const word of [
      "and/or",
      "src/",
      "Math.max",
      "console.log",
      "1.2.3",
      "Node.js",
      "Next.js",
      "e.g.",
      "...",
      "src/*.ts",
      "https://example.com/a.html",
      "example.com/a.html",
      "a=b/c.ts",
      "<div/a.ts>",
      "git:/a.ts",
      "$HOME/a.ts",
      "a".repeat(500) + ".ts"
    ])
      assert.isUndefined(fileNamed(word), word)
  })
})

describe("the address of a link", () => {
  it("is that of a file without a scheme, or with that of files", () => {
    assert.deepStrictEqual(fileAddressed("src/a%20b.ts#L3"), { path: "src/a b.ts", line: 3 })
    assert.deepStrictEqual(fileAddressed("file:///project/a.ts#L3"), { path: "/project/a.ts", line: 3 })
    assert.deepStrictEqual(fileAddressed("Makefile"), { path: "Makefile" })
    for (const address of ["#heading", "", "javascript:alert(1)", "mailto:a@b.c", "data:text/html,x", "a.ts?x=1"])
      assert.isUndefined(fileAddressed(address), address)
  })
})

describe("a text", () => {
  const said = (text: string, onlyPlaces = false) =>
    filesIn(text, onlyPlaces).map(({ from, line, path, to }) => [text.slice(from, to), path, line])

  it("has the names that stand in it, without what is around them", () => {
    assert.deepStrictEqual(
      said("See src/a.ts, (src/b.ts:4) and “src/c.ts:5:6”. Not Node.js, a.ts or and/or; but @src/d.ts!"),
      [
        ["src/a.ts", "src/a.ts", undefined],
        ["src/b.ts:4", "src/b.ts", 4],
        ["src/c.ts:5:6", "src/c.ts", 5],
        ["src/d.ts", "src/d.ts", undefined]
      ]
    )
    assert.deepStrictEqual(said(" at run (/project/src/a.ts:12:9)\nsrc/b.ts(3,1): error\nsrc/c.ts", true), [
      ["/project/src/a.ts:12:9", "/project/src/a.ts", 12],
      ["src/b.ts(3,1)", "src/b.ts", 3]
    ])
  })

  it("is read in a time that grows with its length", () => {
    for (const piece of ["a/", "a.", "(", "@", "a.ts:1", ":1", "[", "a.ts(1,", ". "]) {
      const text = piece.repeat(900_000 / piece.length)
      const before = process.cpuUsage()
      filesIn(text)
      const { user } = process.cpuUsage(before)
      assert.isBelow(user / 1000, 2000, piece)
    }
    assert.deepStrictEqual(filesIn("src/a.ts ".repeat(200_000)), [])
  })
})
