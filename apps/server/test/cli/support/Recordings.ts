/** Recordings of `signalbox nes lsp --record` with the reference agent, and their replays. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import * as LspEditor from "./LspEditor.ts"
import { at, span } from "./LspWorkspace.ts"
import { call, temporaryFolder } from "./Signalbox.ts"
import { programOf } from "../../../../../scripts/suite/Program.ts"

const program = programOf(new URL("../../../../../packages/stand-in-agents/src/nes/main.ts", import.meta.url))

/** The command line of the reference agent. */
export const reference = (...words: ReadonlyArray<string>): string => [process.execPath, program, ...words].join(" ")

export interface Workspace {
  readonly folder: string
  readonly state: string
  readonly uriOf: (name: string) => string
  /** The paths of its recordings. */
  readonly recordings: () => ReadonlyArray<string>
  readonly linesOf: (path?: string) => ReadonlyArray<Line>
  readonly replay: (args: ReadonlyArray<string>, env?: Readonly<Record<string, string>>) => ReturnType<typeof call>
}

export type Line = { readonly type: string; readonly [name: string]: unknown }

/** A folder with these files, and a state folder. */
export const workspace = (files: Readonly<Record<string, string>>, settings?: object): Workspace => {
  const folder = realpathSync(temporaryFolder("recorded"))
  const state = realpathSync(temporaryFolder("state"))
  execFileSync("git", ["init", "-q"], { cwd: folder })
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  if (settings !== undefined) writeFileSync(join(state, "settings.json"), JSON.stringify(settings))
  const kept = join(state, "recordings")
  const recordings = () =>
    existsSync(kept)
      ? readdirSync(kept)
          .toSorted()
          .map((name) => join(kept, name))
      : []
  return {
    folder,
    state,
    uriOf: (name) => pathToFileURL(join(folder, name)).href,
    recordings,
    linesOf: (path = recordings()[0] ?? "") =>
      readFileSync(path, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    replay: (args, env) =>
      call(["nes", "replay", ...args], { cwd: folder, env: { SIGNALBOX_STATE_DIR: state, ...env } })
  }
}

/** Edits in an editor with suggestions, until the editor has left. */
export const edited = <E>(
  { folder, state }: Workspace,
  agent: string,
  edit: (editor: LspEditor.LspEditor) => Effect.Effect<void, E, Scope.Scope>,
  {
    args = ["--record"],
    env
  }: { readonly args?: ReadonlyArray<string>; readonly env?: Readonly<Record<string, string>> } = {}
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const editor = yield* LspEditor.start([...args, "--agent", agent], {
        cwd: folder,
        env: { SIGNALBOX_STATE_DIR: state, ...env }
      })
      yield* editor.initialize(LspEditor.inline)
      yield* edit(editor)
      return yield* editor.leave
    })
  )

/** Types letter by letter. */
export const type = Effect.fnUntraced(function* (
  editor: LspEditor.LspEditor,
  uri: string,
  line: number,
  from: number,
  text: string
) {
  for (const [index, letter] of text.split("").entries())
    yield* editor.change(uri, [{ range: span(line, from + index, from + index), newText: letter }])
  return at(line, from + text.length)
})

/** The report of `--json`. */
export const reportIn = (stdout: string): Line => JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "")

const rows = "# 😀 é\r\nitem1 = f(10)\r\nitem2 = f(20)\r\n\r\n"
export const uses = "import rows\n\ntotal = rows.total\nprint(total, total)\n"

/** Two files, one of them closed and changed on the disk; letters of two units; a suggestion accepted and one dismissed. */
export const session = (here: Workspace) => (editor: LspEditor.LspEditor) =>
  Effect.gen(function* () {
    const [first, second] = [here.uriOf("rows.py"), here.uriOf("uses.py")]
    yield* editor.open(second, uses)
    yield* editor.open(first, rows)
    yield* editor.complete(second, at(2, 0))
    yield* editor.close(second)
    writeFileSync(join(here.folder, "uses.py"), `${uses}# item3\n`)
    const caret = yield* type(editor, first, 3, 0, "item")
    const [item] = yield* editor.complete(first, caret)
    yield* editor.accept(first, item)
    yield* editor.open(second, uses)
    yield* editor.change(second, [{ range: span(2, 0, 5), newText: "s😀m" }])
    yield* editor.actions(second, at(2, 4))
    yield* editor.change(second, [{ range: span(0, 0, 0), newText: "# é\n" }])
    yield* editor.actions(second, at(0, 3))
    // The first file under another name.
    yield* editor.close(first)
    yield* editor.open(here.uriOf("renamed.py"), rows)
    yield* type(editor, here.uriOf("renamed.py"), 3, 0, "item")
    yield* editor.complete(here.uriOf("renamed.py"), at(3, 4))
  })

export const files = { "rows.py": rows, "uses.py": uses }
