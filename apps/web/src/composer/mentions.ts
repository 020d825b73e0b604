/** Files that a prompt mentions by `@path`. Pure. */
import type { PromptPart } from "@signalbox/contracts/Content"
import type { DraftMention as Mention } from "@signalbox/contracts/Draft"

/** The letters behind an `@` that ends at the caret, and where that `@` stands; undefined where none is being written. */
export const mentionAt = (
  text: string,
  caret: number
): { readonly start: number; readonly query: string } | undefined => {
  const found = /(?:^|[\s([{"'`])@([^\s@]*)$/.exec(text.slice(0, caret))
  if (found === null) return undefined
  const query = found[1] ?? ""
  return { start: caret - query.length - 1, query }
}

/** The text with the mention completed, and where the caret goes. */
export const withMention = (
  text: string,
  start: number,
  caret: number,
  path: string
): { readonly text: string; readonly caret: number } => {
  const before = `${text.slice(0, start)}@${path}`
  const after = text.slice(caret)
  const space = /^\s/.test(after) ? "" : " "
  return { text: before + space + after, caret: before.length + 1 }
}

/** Those that still stand in the text, each once. `@src/a.ts` is not in `@src/a.tsx`. */
export const mentionedIn = (text: string, mentions: ReadonlyArray<Mention>): ReadonlyArray<Mention> => {
  const paths = new Set<string>()
  return mentions.filter(({ path }) => {
    if (paths.has(path) || !stands(text, path)) return false
    paths.add(path)
    return true
  })
}

/** What may follow a path without being part of it. */
const boundary = /^(?:$|\s|[.,;:!?)\]}"'`]+(?:\s|$))/

const stands = (text: string, path: string): boolean => {
  const sought = `@${path}`
  for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1))
    if (boundary.test(text.slice(at + sought.length))) return true
  return false
}

export const linkOf = ({ path, uri }: Mention): PromptPart => ({ type: "resource_link", uri, name: path })

/** The other way: of a prompt that is taken back. */
export const fileMention = ({ name, uri }: { readonly name: string; readonly uri: string }): Mention => ({
  path: name,
  uri
})
