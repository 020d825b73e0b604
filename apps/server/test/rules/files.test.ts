/** Rules files on the disk: which count in a folder, and which are in force. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as RulesBytes from "../../src/rules/RulesBytes.ts"
import * as RulesFiles from "../../src/rules/RulesFiles.ts"
import * as RulesInForce from "../../src/rules/RulesInForce.ts"
import * as RulesPlace from "../../src/rules/RulesPlace.ts"
import * as TrustedProjects from "../../src/rules/TrustedProjects.ts"
import { temporaryFolder } from "../../../../packages/system/test/support/TemporaryFolder.ts"

const ofTool = (...tools: ReadonlyArray<string>) =>
  JSON.stringify({ rules: tools.map((tool) => ({ effect: "deny", match: { tool } })) })

const toolsOf = (rules: ReadonlyArray<{ readonly match: { readonly tool?: string } }>) =>
  rules.map(({ match }) => match.tool)

const setUp = () => {
  const stateFolder = temporaryFolder("state")
  const project = realpathSync(temporaryFolder("project"))
  mkdirSync(join(project, ".signalbox"))
  mkdirSync(join(project, "sub"))
  const own = join(stateFolder, "rules.json")
  const file = join(project, ".signalbox", "rules.json")
  return { stateFolder, project, own, file, where: { stateFolder, cwd: join(project, "sub") } }
}

const trust = Effect.fnUntraced(function* ({ stateFolder, where }: ReturnType<typeof setUp>) {
  const [, found] = yield* RulesFiles.find(where)
  yield* TrustedProjects.trust(stateFolder, found?.path ?? "", found?.bytes?.hash ?? "")
})

describe("the rules of a folder", () => {
  it.live("are the person's own and those of the nearest project above it, once that is trusted", () =>
    Effect.gen(function* () {
      const here = setUp()
      const { file, own, project, where } = here
      writeFileSync(own, ofTool("mine"))
      writeFileSync(file, ofTool("theirs"))
      const before = yield* RulesFiles.find(where)
      assert.deepStrictEqual(
        before.map(({ folder, path, state }) => ({ folder, path, state })),
        [
          { folder: undefined, path: own, state: "in-force" },
          { folder: project, path: file, state: "untrusted" }
        ]
      )
      assert.deepStrictEqual(toolsOf(RulesFiles.inForce(before)), ["mine"])
      yield* trust(here)
      assert.deepStrictEqual(toolsOf(RulesFiles.inForce(yield* RulesFiles.find(where))), ["mine", "theirs"])
      writeFileSync(file, ofTool("others"))
      const [, changed] = yield* RulesFiles.find(where)
      assert.deepInclude(changed, { state: "untrusted", trust: "changed" })
      writeFileSync(file, ofTool("theirs"))
      assert.strictEqual((yield* RulesFiles.find(where))[1]?.state, "in-force")
      writeFileSync(join(here.stateFolder, "trusted-projects.json"), "{")
      assert.strictEqual((yield* RulesFiles.find(where))[1]?.state, "unreadable")
    })
  )

  it.live("are still those of a trusted project above a file that nobody trusts", () =>
    Effect.gen(function* () {
      const here = setUp()
      const { file, project, where } = here
      writeFileSync(file, ofTool("theirs"))
      yield* trust(here)
      // An agent may put a file of its own there.
      mkdirSync(join(project, "sub", ".signalbox"))
      writeFileSync(join(project, "sub", ".signalbox", "rules.json"), ofTool("nothing"))
      const files = yield* RulesFiles.find(where)
      assert.deepStrictEqual(
        files.map(({ state }) => state),
        ["missing", "untrusted", "in-force"]
      )
      assert.deepStrictEqual(toolsOf(RulesFiles.inForce(files)), ["theirs"])
      writeFileSync(file, ofTool("untrusted"))
      assert.deepStrictEqual(toolsOf(RulesFiles.inForce(yield* RulesFiles.find(where))), [])
    })
  )

  it.live("are those of a named file alone, with its folder, also behind a link", () =>
    Effect.gen(function* () {
      const { file, own, project, where } = setUp()
      writeFileSync(own, ofTool("mine"))
      writeFileSync(file, ofTool("theirs"))
      const link = join(project, "sub", "link.json")
      symlinkSync(file, link)
      for (const [named, folder] of [
        [file, project],
        [link, join(project, "sub")]
      ]) {
        const files = yield* RulesFiles.find({ ...where, named })
        assert.deepStrictEqual(
          files.map(({ folder, source, state }) => ({ folder, source, state })),
          [{ folder, source: "user", state: "in-force" }]
        )
        assert.deepStrictEqual(toolsOf(RulesFiles.inForce(files)), ["theirs"])
      }
    })
  )

  it.live("come from no link, pipe or folder, and from no file of other bytes than UTF-8", () =>
    Effect.gen(function* () {
      const { file, own, project, stateFolder, where } = setUp()
      const refusals = Effect.map(RulesFiles.find(where), (files) => files.map(({ refusal }) => refusal))
      const linked = "it is a link, or in a folder that is one. Put the file itself there"
      writeFileSync(join(project, "sub", "rules.json"), ofTool("x"))
      symlinkSync(join(project, "sub", "rules.json"), own)
      symlinkSync(join(project, "sub", "rules.json"), file)
      assert.deepStrictEqual(yield* refusals, [linked, linked])
      for (const path of [own, file]) {
        rmSync(path)
        execFileSync("mkfifo", [path])
      }
      assert.deepStrictEqual(yield* refusals, ["it is no file", "it is no file"])
      for (const path of [own, file]) {
        rmSync(path)
        mkdirSync(path)
      }
      assert.deepStrictEqual(yield* refusals, ["it is a folder", "it is a folder"])
      rmSync(join(project, ".signalbox"), { recursive: true })
      symlinkSync(join(project, "sub"), join(project, ".signalbox"))
      rmSync(own, { recursive: true })
      writeFileSync(own, Buffer.from([0x7b, 0xff, 0x7d]))
      assert.deepStrictEqual(yield* refusals, ["it is not text in UTF-8", linked])
      writeFileSync(own, "x".repeat(4 * 1024 * 1024))
      const [long] = yield* RulesFiles.find({ stateFolder, cwd: "/" })
      assert.strictEqual(long?.faults[0]?.message, "It is longer than a megabyte")
    })
  )
})

describe("a rules file that is written", () => {
  it.live("is private, and follows no link of the project", () =>
    Effect.gen(function* () {
      const { file, project, stateFolder } = setUp()
      const place = yield* Effect.promise(() => RulesPlace.inProject(project))
      yield* RulesBytes.write(place, "one")
      assert.strictEqual(readFileSync(file, "utf8"), "one")
      rmSync(join(project, ".signalbox"), { recursive: true })
      yield* RulesBytes.write(place, "two")
      assert.strictEqual(readFileSync(file, "utf8"), "two")
      rmSync(join(project, ".signalbox"), { recursive: true })
      symlinkSync(stateFolder, join(project, ".signalbox"))
      const refused = yield* Effect.flip(RulesBytes.write(place, "three"))
      assert.match(refused.message, /^it is a link/)
      assert.isUndefined(yield* RulesBytes.read(RulesPlace.ofPerson(stateFolder)))
    })
  )
})

describe("the rules in force while a server runs", () => {
  it.live("are the earlier ones of a file that gets a fault, until it is corrected or removed", () =>
    Effect.gen(function* () {
      const here = setUp()
      const { file, own, stateFolder, where } = here
      const { in: look } = yield* RulesInForce.RulesInForce.pipe(Effect.provide(RulesInForce.layer({ stateFolder })))
      const tools = Effect.map(look(where.cwd), ({ rules }) => toolsOf(rules))
      writeFileSync(own, "{")
      assert.deepStrictEqual(yield* tools, [])
      writeFileSync(own, ofTool("a"))
      writeFileSync(file, ofTool("b"))
      yield* trust(here)
      assert.deepStrictEqual(yield* tools, ["a", "b"])
      writeFileSync(own, '{\n  "rules": [}')
      writeFileSync(file, "{")
      const faulty = yield* look(where.cwd)
      assert.deepStrictEqual(toolsOf(faulty.rules), ["a", "b"])
      assert.deepStrictEqual(
        faulty.files.map(({ faults: [fault], state }) => [state, fault?.line]),
        [
          ["faulty", 2],
          ["faulty", 1]
        ]
      )
      rmSync(own)
      mkdirSync(own)
      assert.deepStrictEqual(yield* tools, ["a", "b"])
      rmSync(own, { recursive: true })
      writeFileSync(file, ofTool("c"))
      assert.deepStrictEqual(yield* tools, [])
      writeFileSync(own, ofTool("d"))
      yield* trust(here)
      assert.deepStrictEqual(yield* tools, ["d", "c"])
    })
  )

  it.live("are the earlier ones of a file that is empty for a moment, or that every account may write", () =>
    Effect.gen(function* () {
      const { own, stateFolder, where } = setUp()
      const { in: look } = yield* RulesInForce.RulesInForce.pipe(Effect.provide(RulesInForce.layer({ stateFolder })))
      writeFileSync(own, ofTool("a"))
      assert.deepStrictEqual(toolsOf((yield* look(where.cwd)).rules), ["a"])
      for (const text of ["", "\uFEFF", " \n"]) {
        writeFileSync(own, text)
        const emptied = yield* look(where.cwd)
        assert.deepStrictEqual(toolsOf(emptied.rules), ["a"])
        assert.include(emptied.files[0]?.faults[0]?.message, "The file is empty.")
      }
      writeFileSync(own, ofTool("b"))
      chmodSync(own, 0o666)
      const open = yield* look(where.cwd)
      assert.deepStrictEqual(toolsOf(open.rules), ["a"])
      assert.include(open.files[0]?.refusal, "every account of this machine can write to it: chmod o-w ")
      chmodSync(own, 0o600)
      assert.deepStrictEqual(toolsOf((yield* look(where.cwd)).rules), ["b"])
      rmSync(own)
      assert.deepStrictEqual(toolsOf((yield* look(where.cwd)).rules), [])
    })
  )

  it.live("of a project are not forgotten where the list of trusted projects can't be read", () =>
    Effect.gen(function* () {
      const here = setUp()
      const { file, stateFolder, where } = here
      writeFileSync(file, ofTool("b"))
      yield* trust(here)
      const inForce = RulesInForce.RulesInForce.pipe(Effect.provide(RulesInForce.layer({ stateFolder })))
      const { in: look } = yield* inForce
      assert.deepStrictEqual(toolsOf((yield* look(where.cwd)).rules), ["b"])
      writeFileSync(join(stateFolder, "trusted-projects.json"), "{")
      const damaged = yield* look(where.cwd)
      assert.deepStrictEqual(toolsOf(damaged.rules), ["b"])
      assert.deepStrictEqual(damaged.unknown, [])
      // A server that starts now does not know what the project denies.
      const { unknown } = yield* (yield* inForce).in(where.cwd)
      assert.deepStrictEqual(
        unknown.map(({ path }) => path),
        [file]
      )
      assert.include(unknown[0]?.refusal, "trusted-projects.json")
    })
  )
})
