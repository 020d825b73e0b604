/** A git patch as texts before and after: the changed places with their context. */

export interface FileChange {
  /** The path after the change, or before if the file is gone. */
  readonly path: string
  readonly oldText: string | null
  readonly newText: string
}

const nowhere = "/dev/null"

/** The path in `--- a/src/x.ts`, with a prefix, quotes or a time after a tab. */
const pathOf = (line: string): string => {
  const [named = ""] = line.slice(4).split("\t")
  const path = named.startsWith('"') && named.endsWith('"') ? named.slice(1, -1) : named
  return path === nowhere ? nowhere : path.replace(/^[ab]\//, "")
}

export const parse = (patch: string): ReadonlyArray<FileChange> => {
  const changes: Array<FileChange> = []
  let before = ""
  let after = ""
  let old: Array<string> = []
  let now: Array<string> = []
  let inHunk = false

  const finish = () => {
    if (old.length + now.length > 0) {
      const path = after === nowhere ? before : after
      const text = (lines: ReadonlyArray<string>) => `${lines.join("\n")}\n`
      changes.push({
        path,
        oldText: before === nowhere ? null : old.length === 0 ? "" : text(old),
        newText: now.length === 0 ? "" : text(now)
      })
    }
    old = []
    now = []
    inHunk = false
  }

  for (const line of patch.split("\n")) {
    if (line.startsWith("diff --git ")) finish()
    else if (!inHunk && line.startsWith("--- ")) before = pathOf(line)
    else if (!inHunk && line.startsWith("+++ ")) after = pathOf(line)
    else if (line.startsWith("@@")) inHunk = true
    else if (inHunk && line.startsWith("+")) now.push(line.slice(1))
    else if (inHunk && line.startsWith("-")) old.push(line.slice(1))
    else if (inHunk && line.startsWith(" ")) {
      old.push(line.slice(1))
      now.push(line.slice(1))
    }
  }
  finish()
  return changes
}
