/** Which values of an environment are secret, in which forms they are found, and that finding them is linear. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import * as Redaction from "../src/Redaction.ts"
import * as Secrets from "../src/Secrets.ts"
import * as SecretValues from "../src/SecretValues.ts"
import * as Spans from "../src/Spans.ts"
import * as ValueSearch from "../src/ValueSearch.ts"

const hidden = Spans.redacted

/** Numbers that are the same at each run. */
const random = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

describe("secret values", () => {
  const secret: ReadonlyArray<readonly [name: string, value: string]> = [
    ["OPENAI_API_KEY", "0123456789abcdef"],
    ["MYSQL_PWD", "s3same-0pen"],
    ["SSHPASS", "s3same-0pen"],
    ["DB_PASS", "s3same-0pen"],
    ["GITHUB_PAT", "abcd-efgh-1234"],
    ["SENTRY_DSN", "https://0123456789abcdef@o1.ingest.example/2"],
    ["SIGNING_KEY", "/9j/4AAQSkZJRgABAQEAYABgAAD+Q=="],
    ["HMAC_SECRET", "/pa$$w0rd with spaces"],
    ["ADMIN_PASSWORD", "geheim"],
    ["LOGIN_PIN", "4711"],
    ["DOOR_PASSWORD", "12345678"],
    ["VAULT_TOKEN", "hvs.CAESI"],
    ["x-auth-token", "0a1b2c3d4e"]
  ]
  for (const [name, value] of secret) {
    it(`are those of ${name}`, () => {
      assert.deepEqual(SecretValues.ofEnvironment({ [name]: value }).includes(value), true)
    })
  }

  const harmless: ReadonlyArray<readonly [name: string, value: string]> = [
    ["PATH", "/usr/local/bin:/usr/bin"],
    ["PWD", "/home/somebody/projects/x"],
    ["OLDPWD", "/home/somebody/projects"],
    ["GIT_AUTHOR_NAME", "Jane Doe Example"],
    ["SSH_AUTH_SOCK", "/tmp/ssh-XXXXabcdef/agent.4711"],
    ["GIT_ASKPASS", "/usr/lib/git-core/git-gui--askpass"],
    ["SSH_ASKPASS_REQUIRE", "prefer"],
    ["MAX_THINKING_TOKENS", "10000"],
    ["DISABLE_AUTH", "true"],
    ["TLS_KEY_FILE", "/srv-of-somewhere-else/certificates/server.pem"],
    ["KEY", "abc"],
    ["COMPATIBILITY", "something-long-here"],
    ["LANG", "en_US.UTF-8"]
  ]
  for (const [name, value] of harmless) {
    it(`are not those of ${name}=${value}`, () => {
      assert.deepEqual(SecretValues.ofEnvironment({ [name]: value }), [])
    })
  }

  it("are passwords in addresses and lists of whatever name, alone and as they were written", () => {
    const env = {
      DATABASE_URL: "postgres://app:p%40ssw0rd@db.example/x",
      REDIS: "redis://:only-a-password@127.0.0.1:6379",
      CONNECTION: "Server=db;User Id=sa;Password=Tr0ub4dor&3",
      REPOSITORY: "ssh://git@example.org/x.git"
    }
    const values = SecretValues.ofEnvironment(env)
    for (const each of ["p%40ssw0rd", "p@ssw0rd", "only-a-password", "Tr0ub4dor"]) assert.include(values, each)
    assert.strictEqual(
      Secrets.of(env).hide("cannot reach postgres://app:p%40ssw0rd@db.example/x with p@ssw0rd"),
      `cannot reach postgres://app:${hidden}@db.example/x with ${hidden}`
    )
  })

  it("that exist as a path stay, whatever they are called", () => {
    assert.isTrue(existsSync("/etc/passwd"))
    assert.deepEqual(SecretValues.ofEnvironment({ MY_KEY: "/etc/passwd" }), [])
  })
})

describe("secrets", () => {
  const value = 'p@ss/"wörd+<1>'
  const secrets = Secrets.of({
    DB_PASSWORD: value,
    SHORT_PASS: "tiger",
    PEM_KEY: "-----BEGIN KEY-----\nabcdefghijkl\nmnopqrstuvwx\n-----END KEY-----\n"
  })
  const goJson = JSON.stringify(value)
    .slice(1, -1)
    .replace(/[<>]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .replace("ö", "\\u00f6")

  const forms: ReadonlyArray<readonly [what: string, text: string]> = [
    ["as it is", value],
    ["in JSON", JSON.stringify(value).slice(1, -1)],
    ["in JSON within JSON", JSON.stringify(JSON.stringify(value).slice(1, -1)).slice(1, -1)],
    ["in JSON as Go and Python write it", goJson],
    ["in JSON as PHP writes it", JSON.stringify(value).slice(1, -1).replaceAll("/", "\\/")],
    ["percent-encoded", encodeURIComponent(value)],
    ["percent-encoded in small letters", encodeURIComponent(value).replace(/%../g, (code) => code.toLowerCase())]
  ]
  for (const [what, text] of forms) {
    it(`are hidden ${what}`, () => {
      assert.strictEqual(secrets.hide(`before ${text} after`), `before ${hidden} after`)
    })
  }

  it("are hidden in base64, in both alphabets, wherever they stand in what was encoded", () => {
    for (const alphabet of ["base64", "base64url"] as const) {
      for (const before of ["", "u", "us", "usr", "user:"]) {
        for (const after of ["", "x", "xy"]) {
          const encoded = Buffer.from(before + value + after).toString(alphabet)
          const safe = secrets.hide(`Basic ${encoded}.`)
          assert.include(safe, hidden)
          // What is left at the ends are the neighbours and at most some bits of the outermost characters.
          const left = Buffer.from(safe.replace("Basic ", "").split(hidden).join(""), alphabet).toString("latin1")
          assert.notInclude(left, "ss/")
        }
      }
    }
  })

  it("that are short are hidden as whole words only, and in base64", () => {
    assert.strictEqual(
      secrets.hide('tiger "tiger" tigers a-tiger a_tiger tiger'),
      `${hidden} "${hidden}" tigers a-${hidden} a_tiger ${hidden}`
    )
    assert.notInclude(secrets.hide(Buffer.from("scott:tiger").toString("base64")), "dGlnZX")
  })

  it("in several lines are hidden line by line", () => {
    assert.strictEqual(secrets.hide("abcdefghijkl\nmnopqrstuvwx"), `${hidden}\n${hidden}`)
  })

  it("are taken out of JSON that stays JSON, in keys and in numbers too", () => {
    const digits = Secrets.of({ PASSWORD: "1234567890123456", OTHER_PASSWORD: value })
    const json = JSON.stringify({ [value]: [{ a: `x${value}` }, 1234567890123456, 5], [`k${value}`]: null })
    assert.deepEqual(JSON.parse(digits.without(json)), {
      [hidden]: [{ a: `x${hidden}` }, hidden, 5],
      [`k${hidden}`]: null
    })
    const harmless = '{ "a" : 1 }'
    assert.strictEqual(digits.without(harmless), harmless)
  })

  it("are taken out of JSON that is nested more deeply than can be written anew", () => {
    const deep = `${"[".repeat(100_000)}"s3same-0pen"${"]".repeat(100_000)}`
    const safe = Secrets.of({ A_KEY: "s3same-0pen" }).without(deep)
    assert.notInclude(safe, "s3same-0pen")
    assert.include(JSON.parse(safe), hidden)
    const suspect = `${"[".repeat(100_000)}"Bearer 0123456789abcdef"${"]".repeat(100_000)}`
    assert.notInclude(Redaction.message(JSON.parse(suspect), suspect), "0123456789abcdef")
  })

  it("are what a simple search for each of them would find, in texts made of their pieces", () => {
    const next = random(20_261_122)
    for (let round = 0; round < 300; round += 1) {
      const alphabet = "ab_. "
      const word = (length: number) => Array.from({ length }, () => alphabet[next(round % 2 === 0 ? 2 : 5)]).join("")
      const wanted = Array.from({ length: 1 + next(8) }, () => {
        const text = word(4 + next(9))
        return { text, word: text.length <= ValueSearch.longestWord && next(2) === 0 }
      })
      const search = ValueSearch.make(wanted)
      for (let at = 0; at < 10; at += 1) {
        const pieces = Array.from({ length: next(40) }, () =>
          next(3) === 0 ? word(next(5)) : (wanted[next(wanted.length)]?.text.slice(next(3)) ?? "")
        )
        const text = pieces.join("")
        assert.strictEqual(
          Spans.without(text, Spans.joined(search.find(text))),
          simply(text, wanted),
          JSON.stringify({ text, wanted })
        )
      }
    }
  })

  it("takes at most three steps for a character of hostile text", () => {
    const size = 1_000_000
    const wanted = ["a".repeat(64), `${"a".repeat(63)}b`, "a".repeat(9), `${"ab".repeat(20)}c`, "x".repeat(4_000)]
    for (const text of [
      "a".repeat(size),
      "ab".repeat(size / 2),
      `${"a".repeat(63)}c`.repeat(size / 64),
      "x".repeat(size)
    ]) {
      let steps = 0
      const search = ValueSearch.make(
        wanted.map((each) => ({ text: each, word: false })),
        () => (steps += 1)
      )
      search.find(text)
      assert.isAtMost(steps, 3 * size)
      steps = 0
      search.begun(text)
      assert.isAtMost(steps, 2 * 4_000)
    }
  })

  it("looks at every few characters of text that holds nothing", () => {
    let steps = 0
    const search = ValueSearch.make([{ text: "0123456789abcdef", word: false }], () => (steps += 1))
    search.find("Some words that hold nothing, again and again. ".repeat(20_000))
    assert.isAtMost(steps, 940_000 / 13 + 1)
  })
})

/** Each of them by itself, with what the language has. */
const simply = (text: string, wanted: ReadonlyArray<ValueSearch.Wanted>): string => {
  const inside = Array.from(text, () => false)
  for (const { text: each, word } of wanted) {
    for (let at = text.indexOf(each); at !== -1; at = text.indexOf(each, at + 1)) {
      const beside = `${text[at - 1] ?? ""}${text[at + each.length] ?? ""}`
      if (word && /\w/.test(beside)) continue
      inside.fill(true, at, at + each.length)
    }
  }
  let rest = ""
  for (const [at, character] of Array.from(text).entries())
    rest += inside[at] === true ? (inside[at - 1] === true ? "" : hidden) : character
  return rest
}
