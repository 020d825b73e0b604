/**
 * `docs/symposium.md` has a row for each requirement of Symposium. A row names the tests that show it, or says *later* or *no*.
 *
 * A test is written as its file and the beginning of its title: `` `conductor/Probe`: "initializes each process once" ``.
 */
import * as NamedTests from "./NamedTests.ts"

/** The number of the last requirement. */
const last = 238

interface Row {
  readonly number: number
  readonly shown: string
}

const rowsOf = (document: string): ReadonlyArray<Row> =>
  [...document.matchAll(/^\| S-(\d+) \| [^|]+ \| ([^|]+) \|$/gm)].map(([, number, shown = ""]) => ({
    number: Number(number),
    shown
  }))

/** What is wrong with the document, a sentence each. */
export const findings = (document: string, tests: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  const rows = rowsOf(document)
  const found: Array<string> = []
  for (let number = 1; number <= last; number += 1) {
    const count = rows.filter((row) => row.number === number).length
    if (count !== 1) found.push(`S-${number} has ${count === 0 ? "no row" : `${count} rows`}.`)
  }
  for (const { number, shown } of rows) {
    const shownBy = NamedTests.read(shown)
    if (number < 1 || number > last) found.push(`There is no requirement S-${number}.`)
    if (shownBy.length === 0 && !/\b(?:later|no): \S/.test(shown))
      found.push(`S-${number} names no test, and does not say "later: …" or "no: …".`)
    found.push(...NamedTests.findings(`S-${number}`, shownBy, tests))
  }
  return found
}
