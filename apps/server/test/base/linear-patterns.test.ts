/** Patterns over foreign text take a number of steps that grows with the text, and no faster: counted, not timed. */
import { assert, describe, it } from "@effect/vitest"
import * as Redaction from "@signalbox/redaction/Redaction"
import * as ValueSearch from "@signalbox/redaction/ValueSearch"
import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { parseSync, Visitor } from "vite"
import * as CountedPattern from "../support/CountedPattern.ts"

const repository = fileURLToPath(new URL("../../../..", import.meta.url))
const rooms = [
  "apps/server/src",
  "apps/vscode/src",
  "apps/web/src",
  "packages/acp/src",
  "packages/archive/src",
  "packages/attach/src",
  "packages/client/src",
  "packages/conductor/src",
  "packages/contracts/src",
  "packages/ide/src",
  "packages/lsp/src",
  "packages/permission/src",
  "packages/process/src",
  "packages/redaction/src",
  "packages/stand-in-agents/src/nes",
  "packages/loopback/src",
  "packages/system/src",
  "packages/threads/src"
]

interface Found {
  readonly place: string
  readonly pattern: RegExp
}

type Program = ReturnType<typeof parseSync>["program"]

/** Finds the regular expressions that are written out. */
const literals = (program: Program, place: string, found: Array<Found>): void =>
  new Visitor({
    Literal: (node) => {
      if ("regex" in node) found.push({ place, pattern: new RegExp(node.regex.pattern, node.regex.flags) })
    }
  }).visit(program)

/** Finds patterns that are put together while the program runs: whatever uses the name but as a type. */
const builders = (program: Program, place: string, found: Array<string>): void =>
  new Visitor({
    Identifier: ({ name }) => {
      if (name === "RegExp") found.push(place)
    },
    // A type builds none.
    "TSTypeReference:exit": ({ typeName }) => {
      if (typeName.type === "Identifier" && typeName.name === "RegExp") found.splice(found.lastIndexOf(place), 1)
    }
  }).visit(program)

/** Every regular expression that stands in our sources. */
const patterns: Array<Found> = []
/** The places in our sources where patterns are put together. */
const buildings: Array<string> = []

for (const room of rooms)
  for (const entry of readdirSync(join(repository, room), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !/\.tsx?$/.test(entry.name) || path.includes("/generated/")) continue
    const { program } = parseSync(path, readFileSync(path, "utf8"))
    const place = relative(repository, path)
    literals(program, place, patterns)
    builders(program, place, buildings)
  }

/** Patterns that the page applies to text that is cut before, or that is not foreign, with why. */
const excused: ReadonlyArray<readonly [place: string, why: string]> = [
  ["apps/web/src/requests/command.ts", "It is given at most 10,000 characters (`longestLookedInto`)."]
]

describe("patterns in our sources", () => {
  it("take steps in proportion to the text, whatever it is", { timeout: 120_000 }, () => {
    assert.isAtLeast(patterns.length, 100)
    const found = patterns.flatMap(({ pattern, place }) => {
      const bad = superlinear(pattern)
      return bad === undefined || excused.some(([each]) => each === place)
        ? []
        : [{ place, pattern: String(pattern), ...bad }]
    })
    assert.deepEqual(found, [])
  })

  it("are written out, so that they are looked at here, but for one that has no quantifiers", () => {
    assert.deepEqual(buildings, ["packages/redaction/src/ValueSearch.ts"])
    const built = ValueSearch.spelled(["a.*+", "(a|a)*$", "[^]{1,}"])
    assert.deepEqual(
      ["xa.*+", "(a|a)*$", "[^]{1,}", "aaaa"].map((text) => text.replace(built, "")),
      ["x", "", "", "aaaa"]
    )
    assert.isUndefined(superlinear(built))
  })

  it("are found where they are put together", () => {
    for (const source of ["new RegExp(a)", "RegExp(a)", "new globalThis.RegExp(a)", "f(RegExp)"]) {
      const found: Array<string> = []
      builders(parseSync("a.ts", source).program, "a.ts", found)
      assert.deepEqual(found, ["a.ts"], source)
    }
  })

  it("would be found by this if they were not linear", () => {
    const quadratic = [
      // Those that looked for logins once.
      /(\b[a-z][a-z0-9+.-]*:\/\/)(?!git@)[^\s/"'@\\<>]+@/gi,
      /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g,
      /"(.+)"x/s,
      /\s+$/,
      /(a|b)*c/
    ]
    for (const pattern of quadratic) assert.isDefined(superlinear(pattern), String(pattern))
  })

  it("are counted by a machine that matches what the language's own does", () => {
    const texts = [
      "",
      "abab",
      "user:pw@x",
      "://a@b",
      "eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl",
      "Bearer  abcdefghijklmnop",
      "x\ny",
      '"a" and "b"'
    ]
    for (const { pattern } of patterns) {
      for (const text of [...texts, CountedPattern.sampleOf(pattern)]) {
        const own = new RegExp(pattern.source, pattern.flags.replaceAll(/[gy]/g, "")).exec(text)
        const counted = CountedPattern.make(pattern).exec(text)
        assert.deepEqual(
          counted,
          own === null ? undefined : { index: own.index, end: own.index + own[0].length },
          `${pattern} ${text}`
        )
      }
    }
  })
})

describe("looking for logins by their form", () => {
  const size = 1_000_000
  const fill = (piece: string) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size)
  const texts = {
    "the beginnings of addresses": fill("a.a.a."),
    "addresses without an end": fill("x://"),
    "an address that goes on": `https://${fill("u")}`,
    "the beginnings of JSON Web Tokens": fill("eyJaaaaaaaa-"),
    "dots of JSON Web Tokens": `eyJaaaaaaaaaa${fill(".")}`,
    "headers of authorization": fill("authorization: "),
    "a bearer without end": `bearer ${fill("a")}`,
    "parameters of addresses": fill("&token_"),
    "keys of all kinds": fill("sk-AIza-glpat-xoxb-")
  }
  for (const [what, text] of Object.entries(texts)) {
    it(`walks over 1 MB of ${what} once for each form`, () => {
      let steps = 0
      Redaction.spansIn(`token ${text}`, () => (steps += 1))
      assert.isAtMost(steps, 13 * size)
      const line = JSON.stringify({ method: "x", params: `token ${text}` })
      assert.doesNotThrow(() => Redaction.message(JSON.parse(line), line))
    })
  }

  it("does not give up on a line of 32 MB", () => {
    const long = "a".repeat(32 * 1024 * 1024 - 100)
    for (const begin of ["Bearer ", "https://u:", "authorization: ", "sk-", "?token="]) {
      const line = JSON.stringify({ params: begin + long })
      assert.isAtMost(Redaction.message(JSON.parse(line), line).length, line.length)
    }
    assert.strictEqual(Redaction.text(`Bearer ${long} end`), "Bearer [redacted] end")
  })

  it("finds what it found before", () => {
    const jwt = "eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJSMeKKF2Q"
    const cases: ReadonlyArray<readonly [string, string]> = [
      ["https://user:pass@host/x", "https://[redacted]@host/x"],
      ["postgres://u:p@ss@host/x", "postgres://[redacted]@host/x"],
      ["ssh://git@host and a@b.c", "ssh://git@host and a@b.c"],
      [`a ${jwt} b x.${jwt}.y`, "a [redacted] b x.[redacted].y"],
      [
        "see https://c.example/?challenge=abc&mode=x&my_token=1 ok",
        "see https://c.example/?challenge=[redacted]&mode=x&my_token=[redacted] ok"
      ],
      ['Authorization: "Bearer abcdefgh"', 'Authorization: "Bearer [redacted]"'],
      ["authorization=basic dXNlcjpwYXNz", "authorization=basic [redacted]"],
      ["AKIAABCDEFGHIJKLMNOP AIzaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "[redacted] [redacted]"],
      ["ghp_0123456789abcdefghij sk-short crsr_0123456789abcdef", "[redacted] sk-short [redacted]"]
    ]
    for (const [text, safe] of cases) assert.strictEqual(Redaction.text(text), safe)
  })
})

/** Texts of about this length that a pattern may find hard: made of what it looks for, again and again. */
const hostile = (pattern: RegExp, length: number): ReadonlyArray<string> => {
  const sample = CountedPattern.sampleOf(pattern)
  const pieces = new Set(sample)
  for (let end = 1; end <= Math.min(sample.length, 12); end += 1) {
    pieces.add(sample.slice(0, end))
    pieces.add(sample.slice(end))
    for (const between of " .-") pieces.add(sample.slice(0, end) + between)
  }
  pieces.delete("")
  const repeated = [...pieces].map((piece) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length))
  // One beginning, and then a single character without end.
  const runs = [...new Set(sample)].flatMap((character) =>
    [sample.slice(0, -1), sample.slice(0, sample.indexOf(character) + 1)].map(
      (begin) => `${begin}${character.repeat(length)}\u0001`
    )
  )
  return [...repeated, ...runs]
}

/** Steps: thousands for each character. */
const most = 2_000_000

const superlinear = (pattern: RegExp): { readonly text: string; readonly ratio: number } | undefined => {
  const counted = CountedPattern.make(pattern)
  const [short, long] = [hostile(pattern, 900), hostile(pattern, 1_800)]
  for (const [index, text] of short.entries()) {
    const few = counted.steps(text, most)
    const many = few > most ? Infinity : counted.steps(long[index] ?? "", 4 * most)
    if (many > 3 * few + 1_000) return { text: text.slice(0, 40), ratio: many / few }
  }
  return undefined
}
