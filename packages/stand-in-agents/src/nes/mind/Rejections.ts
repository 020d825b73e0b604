/** What a person has rejected: the same is not offered again for the same text. */
import { lineAround } from "./Lines.ts"
import type { Idea, Scene } from "./Scene.ts"
import * as Positions from "@signalbox/acp/Positions"

/** How many rejections are remembered. */
const most = 500

/** A line by its text, and how often the same line stands above it: lines that move keep their rejections. */
const lineKey = (text: string, at: number): ReadonlyArray<string | number> => {
  const { end, start } = lineAround(text, at)
  const line = text.slice(start, end)
  return [
    line,
    text
      .slice(0, start)
      .split(/\r\n|\n|\r/)
      .filter((each) => each === line).length
  ]
}

/** What makes two ideas the same. */
export const keyOf = (idea: Idea, { text, uri }: Pick<Scene, "text" | "uri">): string => {
  switch (idea.kind) {
    case "edit": {
      const changes = idea.changes.map((change) => [text.slice(change.start, change.end), change.text])
      const [first] = idea.changes
      const column = first ? first.start - lineAround(text, first.start).start : 0
      return JSON.stringify([idea.kind, uri, column, lineKey(text, first?.start ?? 0), changes])
    }
    case "jump": {
      const { position } = idea
      const place = idea.uri === uri ? lineKey(text, Positions.of(text).offsetAt(position)) : [position.line]
      return JSON.stringify([idea.kind, idea.uri, position.character, place])
    }
    case "rename":
      return JSON.stringify([idea.kind, uri, idea.from, idea.to])
    case "searchAndReplace":
      return JSON.stringify([idea.kind, idea.uri, idea.search, idea.replace])
  }
}

/** The rejections of one session. */
export class Rejections {
  readonly #keys = new Set<string>()

  add(key: string): void {
    this.#keys.add(key)
    const [oldest] = this.#keys
    if (this.#keys.size > most && oldest !== undefined) this.#keys.delete(oldest)
  }

  has(key: string): boolean {
    return this.#keys.has(key)
  }
}
