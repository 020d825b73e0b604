import { approvalMode, verdict } from "../Permissions.ts"
import type { JsonObject } from "../../Json.ts"
import { internalError } from "../RpcError.ts"
import type { Script } from "../Script.ts"
import { Tool, type ToolShape } from "../Tools.ts"
import type { Turn } from "../Turn.ts"
import { Workspace, WorkspaceError } from "../Workspace.ts"
import { consent, refused } from "./consent.ts"

const readLimit = 4096

export const readShape = (path: string): ToolShape => ({
  kind: "read",
  generic: { title: "Read File", rawInput: {} },
  detail: { title: `Read ${path}`, rawInput: { path }, locations: [{ path }] },
  atOnce: true
})

/** Completes the tool. @returns the file's first 4 KB, or undefined if it could not be read */
export const finishRead = (turn: Turn, tool: Tool, path: string): string | undefined => {
  if (verdict(turn.emulator, turn.session.cwd, `Read(${path})`) === "denied") {
    tool.complete()
    return undefined
  }
  try {
    const content = new Workspace(turn.session.cwd).read(path).slice(0, readLimit)
    tool.complete({ rawOutput: { content } })
    return content
  } catch (error) {
    tool.complete({ rawOutput: { error: reasonOf(error) } })
    return undefined
  }
}

export const read: Script = async (turn, args) => {
  const path = args.get("path", 0) ?? "README.md"
  await turn.think(`I will look at ${path}.`)
  const tool = Tool.open(turn, readShape(path))
  tool.start()
  await turn.wait(250)
  const content = finishRead(turn, tool, path)
  if (content === undefined) await turn.say(`I could not read \`${path}\`.`)
  else
    await turn.say(
      `\`${path}\` has ${content.split("\n").length} lines. It begins:\n\n\`\`\`\n${head(content)}\n\`\`\``
    )
}

/** Replaces `old` by `new`, or adds `new` as a last line. */
export const edit: Script = async (turn, args) => {
  const path = args.get("path", 0) ?? "notes.txt"
  await turn.think(`I will change ${path}.`)
  const added = args.get("new", 1) ?? "Edited by the simulated agent."
  await change(turn, path, (before) => {
    const old = args.get("old")
    if (old === undefined) return `${before}${before === "" || before.endsWith("\n") ? "" : "\n"}${added}\n`
    if (!before.includes(old)) throw new WorkspaceError(`"${old}" is not in ${path}`)
    return before.replace(old, () => added)
  })
}

export const newFile: Script = async (turn, args) => {
  const path = args.get("path", 0) ?? "new-file.txt"
  await turn.think(`I will write ${path}.`)
  const text = args.get("text", 1) ?? "Written by the simulated agent."
  await change(turn, path, () => `${text}\n`)
}

/** Writes the file on the disk, with its frames, requests and refusals. */
export const change = async (turn: Turn, path: string, edited: (before: string) => string): Promise<void> => {
  const absolute = absolutePath(turn, path)
  const tool = Tool.open(turn, editShape("edit", "Edit File", `Edit \`${absolute}\``, absolute))
  if (await blocked(turn, tool)) return
  tool.start()
  await turn.wait(50)
  try {
    const workspace = new Workspace(turn.session.cwd)
    const before = workspace.exists(path) ? workspace.read(path) : undefined
    const after = edited(before ?? "")
    const content = [diff(turn, absolute, before, after)]
    if (!(await mayWrite(turn, tool.id, absolute, content))) {
      tool.complete(refused(turn))
      await turn.say("The change was blocked, so I left the file as it was.")
      return
    }
    workspace.write(path, after)
    tool.complete({ content })
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error
    tool.complete({ rawOutput: { error: error.message } })
    await turn.say(`I could not change \`${path}\`: ${error.message}.`)
    return
  }
  await turn.say(`I changed \`${path}\`.`)
}

export const remove: Script = async (turn, args) => {
  const path = args.get("path", 0)
  if (path === undefined) throw internalError("delete: which path?")
  const absolute = absolutePath(turn, path)
  await turn.think(`I will delete ${path}.`)
  const title = `Delete \`${absolute}\``
  const tool = Tool.open(turn, editShape("delete", "Delete File", title, absolute))
  if (await blocked(turn, tool)) return
  tool.start()
  const subject = {
    toolCallId: tool.id,
    title,
    kind: "delete",
    token: `Write(${absolute})`,
    rawInput: { path: absolute }
  }
  if (!(await consent(turn, subject))) {
    tool.complete(refused(turn))
    await turn.say("Deleting was blocked, so the file is still there.")
    return
  }
  await turn.wait(50)
  try {
    const workspace = new Workspace(turn.session.cwd)
    const before = workspace.read(path)
    workspace.remove(path)
    tool.complete({ content: [{ type: "diff", path: absolute, oldText: before, newText: "" }] })
    await turn.say(`I deleted \`${path}\`.`)
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error
    tool.complete({ rawOutput: { error: error.message } })
    await turn.say(`I could not delete \`${path}\`: ${error.message}.`)
  }
}

/** The absolute path for the wire. Whether it may be used is decided at its use. */
const absolutePath = (turn: Turn, path: string): string => (path.startsWith("/") ? path : `${turn.session.cwd}/${path}`)

const editShape = (kind: "edit" | "delete", generic: string, title: string, path: string): ToolShape => ({
  kind,
  generic: { title: generic, rawInput: {} },
  detail: { title, rawInput: { path }, locations: [{ path }] }
})

/** Ends the tool before its start in modes without edits. Returns whether it did. */
const blocked = async (turn: Turn, tool: Tool): Promise<boolean> => {
  if (turn.session.mode === "agent" || !turn.quirks.has("plan_mode_blocks_edit")) return false
  await turn.wait(18)
  tool.complete()
  await turn.say(`Edits are blocked in ${turn.session.mode} mode.`)
  return true
}

/** Asks for an edit only in the approval mode `all`. */
const mayWrite = async (turn: Turn, toolCallId: string, path: string, content: ReadonlyArray<JsonObject>) => {
  const token = `Write(${path})`
  if (approvalMode(turn.emulator) === "all")
    return await consent(turn, {
      toolCallId,
      title: `Edit \`${path}\``,
      kind: "edit",
      token,
      rawInput: { path },
      content
    })
  return verdict(turn.emulator, turn.session.cwd, token) !== "denied"
}

const diff = (turn: Turn, path: string, before: string | undefined, after: string): JsonObject => {
  if (before === undefined)
    return turn.quirks.has("newfile_diff_header")
      ? { type: "diff", path, oldText: "-- /dev/null", newText: `++ b/${path}\n${after}` }
      : { type: "diff", path, oldText: null, newText: after }
  if (!turn.quirks.has("hunk_diffs")) return { type: "diff", path, oldText: before, newText: after }
  return { type: "diff", path, oldText: hunks(before), newText: hunks(after) }
}

/** Only the first and the last line, as if only these had changed. */
const hunks = (text: string): string => {
  const lines = text.trimEnd().split("\n")
  return `${lines[0] ?? ""}\n...\n${lines.at(-1) ?? ""}`
}

const head = (content: string): string => content.split("\n").slice(0, 12).join("\n").trimEnd()

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
