/** `signalbox rules`: lists, checks and changes the rules files, and trusts those of projects. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { chmodSync, mkdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assertReadable } from "./support/Runs.ts"
import { call, temporaryFolder } from "./support/Signalbox.ts"

const setUp = () => {
  const state = temporaryFolder("state")
  const project = realpathSync(temporaryFolder("project"))
  const own = join(state, "rules.json")
  const file = join(project, ".signalbox", "rules.json")
  const rules = (...args: ReadonlyArray<string>) =>
    Effect.tap(call(["rules", ...args], { env: { SIGNALBOX_STATE_DIR: state }, cwd: project }), (ended) =>
      Effect.sync(() => assertReadable(ended))
    )
  return { state, project, own, file, rules }
}

describe("signalbox rules", () => {
  it.live("adds rules to the file of the person, lists them in words, and removes them; comments stay", () =>
    Effect.gen(function* () {
      const { own, project, rules } = setUp()
      const none = yield* rules("list")
      assert.deepInclude(none, { code: 0, stdout: "", stderr: "There are no rules. Every request is put to people.\n" })
      const added = yield* rules(
        "add",
        "allow",
        "--command",
        "pnpm vitest **",
        "--scope",
        "workspace",
        "--why",
        "Tests"
      )
      assert.deepInclude(added, {
        code: 0,
        stderr: `Rule 1 in ${own}: allow command pnpm vitest **, in ${project}.\n`
      })
      assert.strictEqual(statSync(own).mode & 0o777, 0o600)
      const { $schema, ...content } = JSON.parse(readFileSync(own, "utf8"))
      assert.match($schema, /^file:\/\/.*\/docs\/rules\.schema\.json$/)
      const first = {
        effect: "allow",
        match: { command: "pnpm vitest **" },
        scope: { workspace: project },
        why: "Tests"
      }
      assert.deepStrictEqual(content, { rules: [first] })

      writeFileSync(own, readFileSync(own, "utf8").replace("{", "{ // mine"))
      const deny = ["deny", "--path", "~/.ssh/**", "--kind", "read", "--agent", "cursor", "--until", "2999-01-31"]
      assert.strictEqual((yield* rules("add", ...deny)).code, 0)
      const listed = yield* rules("list")
      assert.strictEqual(listed.code, 0)
      assert.match(
        listed.stdout,
        /^1 +allow +command pnpm vitest \*\* +in \S+ +you remove it +in force +\S+\/rules\.json:\d+$/m
      )
      assert.match(
        listed.stdout,
        /^2 +deny +path ~\/\.ssh\/\*\*, kind read, agent cursor +everywhere +2999-01-31 +in force /m
      )
      const json = (yield* rules("list", "--json")).stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
      assert.deepInclude(json[0], { ...first, source: "user", file: own, number: 1, state: "in force" })
      assert.deepInclude(json[1], { match: { path: "~/.ssh/**", kind: "read", agent: "cursor" }, until: "2999-01-31" })

      const missing = yield* rules("remove", "3")
      assert.strictEqual(missing.code, 2)
      assert.include(missing.stderr, "1 allow command pnpm vitest **")
      assert.strictEqual((yield* rules("remove", "1")).code, 0)
      const text = readFileSync(own, "utf8")
      assert.match(text, /^\{ \/\/ mine\n/)
      assert.notInclude(text, "vitest")
      assert.include(text, "~/.ssh/**")
    })
  )

  it.live("puts the rules of a project in force when they are trusted, and not after a change", () =>
    Effect.gen(function* () {
      const { file, project, rules, state } = setUp()
      const widening = yield* rules("add", "allow", "--project", "--tool", "x")
      assert.strictEqual(widening.code, 2)
      assert.include(widening.stderr, "can only deny and ask")
      const added = yield* rules("add", "deny", "--project", "--path", "secrets/**")
      assert.strictEqual(added.code, 0)
      assert.include(added.stderr, `signalbox rules trust --cwd ${project}`)
      const stateOf = Effect.map(rules("list", "--json"), ({ stdout }) => JSON.parse(stdout).state)
      assert.strictEqual(yield* stateOf, "not trusted")
      const before = yield* rules("check")
      assert.strictEqual(before.code, 0)
      assert.include(before.stderr, "It is not in force. You have not trusted it")

      const trusted = yield* rules("trust")
      assert.strictEqual(trusted.code, 0)
      assert.include(trusted.stderr, `1  deny path secrets/**, in ${project}`)
      assert.strictEqual(statSync(join(state, "trusted-projects.json")).mode & 0o777, 0o600)
      assert.strictEqual(yield* stateOf, "in force")

      writeFileSync(file, readFileSync(file, "utf8").replace("secrets", "secret"))
      const changed = yield* rules("list")
      assert.match(changed.stdout, / not trusted /)
      assert.include(changed.stderr, "The file has changed since you trusted it.")
      assert.include((yield* rules("check")).stderr, "It has changed since you trusted it")

      assert.strictEqual((yield* rules("trust")).code, 0)
      assert.strictEqual(yield* stateOf, "in force")
      assert.strictEqual((yield* rules("untrust")).code, 0)
      assert.strictEqual(yield* stateOf, "not trusted")
      assert.include((yield* rules("untrust")).stderr, "are not trusted")
      assert.strictEqual((yield* rules("trust", "--cwd", "/")).code, 2)
    })
  )

  it.live("names each fault by file, line and column, and changes no file that has one", () =>
    Effect.gen(function* () {
      const { file, own, project, rules } = setUp()
      const faulty = '{\n  "rules": [\n    { "effect": "deny", "match": { "comand": "rm **" } }\n  ]\n}\n'
      writeFileSync(own, faulty)
      mkdirSync(join(project, ".signalbox"))
      writeFileSync(file, '{ "rules": [{ "effect": "allow", "match": {} }] }')
      const checked = yield* rules("check")
      assert.strictEqual(checked.code, 1)
      assert.deepStrictEqual(checked.stdout.trimEnd().split("\n"), [
        `${own}:3:36: fault: rules[0].match.comand: This is not known here.`,
        `${file}:1:15: warning: rules[0].effect: It is ignored: the file of a project can only deny or ask.`,
        `${file}:1:34: warning: rules[0].match: It allows everything, like the profile bypass.`
      ])
      for (const args of [["add", "deny", "--tool", "x"], ["remove", "1"], ["list"]]) {
        const { code, stderr } = yield* rules(...args)
        assert.strictEqual(code, 1)
        assert.include(stderr, "Line 3, rules[0].match.comand: This is not known here.")
        assert.include(stderr, `Next: Correct the file, then look it over: signalbox rules check ${own}`)
      }
      assert.strictEqual(readFileSync(own, "utf8"), faulty)
      const warned = yield* rules("check", file)
      assert.strictEqual(warned.code, 0)
      assert.include(warned.stdout, "It is ignored")
      const json = yield* rules("check", own, "--json")
      assert.deepStrictEqual(JSON.parse(json.stdout), {
        file: own,
        severity: "fault",
        line: 3,
        column: 36,
        path: "rules[0].match.comand",
        message: "This is not known here"
      })
      const gone = yield* rules("check", join(project, "gone.json"))
      assert.strictEqual(gone.code, 1)
      assert.include(gone.stderr, "does not exist")
    })
  )

  it.live("says what is wrong with a rule that is to be added", () =>
    Effect.gen(function* () {
      const { own, rules } = setUp()
      const wrong = yield* rules("add", "deny", "--tool", "", "--scope", "thred=1", "--until", "soon")
      assert.strictEqual(wrong.code, 2)
      assert.include(wrong.stderr, "match.tool: ")
      assert.include(wrong.stderr, 'scope: Expected "global", "workspace"')
      assert.include(wrong.stderr, 'until: Expected "once", "session", or a date')
      assert.include((yield* rules("add", "deny")).stderr, "Say what the rule is about:")
      const wide = yield* rules("add", "allow", "--command", "**")
      assert.strictEqual(wide.code, 0)
      assert.include(wide.stderr, "Warning: It allows every command, like the profile bypass.")
      assert.lengthOf(JSON.parse(readFileSync(own, "utf8")).rules, 1)
      const nowhere = yield* rules("add", "deny", "--project", "--cwd", "/no/such/folder", "--tool", "x")
      assert.strictEqual(nowhere.code, 2)
      assert.include(nowhere.stderr, "--cwd: /no/such/folder does not exist.")
    })
  )

  it.live("follows no link to its files, and uses none that others can write to", () =>
    Effect.gen(function* () {
      const { own, project, rules, state } = setUp()
      symlinkSync(join(project, "elsewhere.json"), own)
      const linked = yield* rules("add", "deny", "--tool", "x")
      assert.strictEqual(linked.code, 1)
      assert.include(linked.stderr, "it is a link")
      const other = setUp()
      symlinkSync(state, join(other.project, ".signalbox"))
      const refused = yield* other.rules("add", "deny", "--project", "--tool", "x")
      assert.strictEqual(refused.code, 1)
      assert.include(refused.stderr, "it is a link")
      writeFileSync(other.own, '{ "rules": [] }')
      chmodSync(other.own, 0o666)
      const open = yield* other.rules("list")
      assert.strictEqual(open.code, 1)
      assert.include(open.stderr, "Every account of this machine can write to")
    })
  )
})
