/** A workspace with one document, open in an editor that has `signalbox nes lsp` as its language server. */
import * as Effect from "effect/Effect"
import type { Suggestion } from "@signalbox/acp/NesSchema"
import { execFileSync } from "node:child_process"
import { realpathSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { ClientCapabilities } from "vscode-languageserver-protocol"
import * as LspEditor from "./LspEditor.ts"
import { temporaryFolder } from "./Signalbox.ts"
import * as Suggester from "./Suggester.ts"

/** The text of the document, with characters of each length. */
export const text = "const total = 1\nconsole.log(total)\nconst é🚦 = tot\n"

export const at = (line: number, character: number) => ({ line, character })
/** A range within one line. */
export const span = (line: number, from: number, to: number) => ({ start: at(line, from), end: at(line, to) })

/** An edit on the last line, at its end. */
export const insertion = (uri: string): Suggestion => ({
  kind: "edit",
  id: "insertion",
  uri,
  edits: [{ range: span(2, 15, 15), newText: "al + 1" }]
})

/** Two edits on other lines. */
export const elsewhere = (uri: string): Suggestion => ({
  kind: "edit",
  id: "elsewhere",
  uri,
  edits: [
    { range: span(0, 6, 11), newText: "sum" },
    { range: span(1, 12, 17), newText: "sum" }
  ],
  cursorPosition: at(1, 15)
})

export const jump = (uri: string): Suggestion => ({ kind: "jump", id: "jump", uri, position: at(1, 4) })

export interface Options extends Omit<Suggester.Script, "answers"> {
  readonly answers?: (uri: string) => ReadonlyArray<ReadonlyArray<Suggestion>>
  /** What the editor can do: all by default. */
  readonly editorCan?: ClientCapabilities
  readonly env?: Readonly<Record<string, string>>
  /** Whether the editor names the workspace by a link. */
  readonly isLinked?: boolean
  /** The command line of another agent. */
  readonly agent?: string
  /** Settings of the agent's session, each as ID=VALUE. */
  readonly set?: ReadonlyArray<string>
}

export const opened = Effect.fnUntraced(function* ({
  agent: line,
  answers,
  editorCan,
  env,
  isLinked = false,
  set = [],
  ...script
}: Options = {}) {
  const real = realpathSync(temporaryFolder("nes-lsp"))
  execFileSync("git", ["init", "-q"], { cwd: real })
  const folder = isLinked ? join(realpathSync(temporaryFolder("link")), "link") : real
  if (isLinked) symlinkSync(real, folder)
  const uri = pathToFileURL(join(folder, "a.ts")).href
  const agent = Suggester.make({ ...script, answers: answers?.(uri) ?? [[]] })
  const settings = set.flatMap((setting) => ["--set", setting])
  const editor = yield* LspEditor.start(["--agent", line ?? agent.line, ...settings], {
    cwd: folder,
    env: { ...agent.env, ...env }
  })
  const answer = yield* editor.initialize(editorCan ?? LspEditor.inline)
  yield* editor.open(uri, text)
  return { agent, answer, editor, folder, uri }
})
