/**
 * The documents that probes ask about. They invite suggestions: an edit that can be repeated, a block that stands
 * twice, a misspelling. Characters of several units stand before the places.
 */
import * as Positions from "@signalbox/acp/Positions"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

export interface Document {
  readonly uri: string
  readonly languageId: string
  readonly version: number
  readonly text: string
}

/** A change that a person makes. Offsets count in UTF-16. */
export interface Change {
  readonly from: number
  readonly to: number
  readonly text: string
}

export interface Sample {
  /** The document that is asked about. */
  readonly main: Document
  /** A document that is open beside it. */
  readonly other: Document
}

/** The line of plain words lets a pattern that takes exponential time show itself. */
const block = `/*
Prices are in cents and a cup is small or large or for two people \u{1f600}
We recieve them from the cafe\u0301 next door in \u{1d7da} parts
*/
`

const body = `export const log = makeLog("cafe\u0301")

export const small = (price: number) => {
  const name = "\u{1f469}\u200d\u{1f467} cafe\u0301"; log.info(name, price)
  return price
}

export const large = (price: number) => {
  const name = "\u{1f600} cre\u0300me \u{1d7da}"; log.info(name, price)
  return price * 2 // what they recieve for two
}

`

const text = block + body + block

/** The id of a session that no agent has. */
export const noSession = "_signalbox_no_such_session"

/** Documents with names of their own. No file of theirs is on the disk. */
export const make = (folder: string): Sample => {
  const name = `signalbox-${randomUUID().slice(0, 8)}`
  const document = (suffix: string, text: string): Document => ({
    uri: pathToFileURL(join(folder, `${name}${suffix}.ts`)).href,
    languageId: "typescript",
    version: 1,
    text
  })
  return { main: document("", text), other: document("-menu", "export const menu = [small, large]\n") }
}

const replaced = "info"
const replacement = "warn"

/** The first change: a word that stands once more further down. */
export const firstChange = (lines: Positions.Lines): Change => {
  const from = lines.text.indexOf(replaced)
  return { from, to: from + replaced.length, text: replacement }
}

/** The UTF-16 offset behind the first change, where the cursor is then. */
export const typed = text.indexOf(replaced) + replacement.length

/** The second change takes the first block away. What counts lines as before now counts beyond the end. */
export const secondChange = (lines: Positions.Lines): Change => ({
  from: 0,
  to: lines.offsetAt({ line: Positions.of(block).count - 1, character: 0 }),
  text: ""
})

/** The first change as a history has it. */
export const firstDiff = ((): string => {
  const lines = Positions.of(text)
  const { line } = lines.positionAt(firstChange(lines).from)
  const before = lines.line(line) ?? ""
  return `@@ -${line + 1} +${line + 1} @@\n-${before}\n+${before.replace(replaced, replacement)}\n`
})()
