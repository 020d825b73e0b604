/** Tests as documents name them: a file, and the beginning of a title: `` `conductor/Probe`: "initializes each process once" ``. */

export interface NamedTest {
  readonly file: string
  readonly title: string
}

/** The tests that a text names. */
export const read = (text: string): ReadonlyArray<NamedTest> =>
  [...text.matchAll(/`([\w-]+(?:\/[\w-]+)+)`: "([^"]+)"/g)].map(([, file = "", title = ""]) => ({ file, title }))

/** Whether a file has a string that begins so, behind the numbers of another checklist if it has any. */
const hasTitle = (text: string, title: string): boolean => {
  for (let at = text.indexOf(title); at !== -1; at = text.indexOf(title, at + 1))
    if (/["'`](?:\[\d+\]|\s)*$/.test(text.slice(Math.max(0, at - 40), at))) return true
  return false
}

/** Says of each test that is not there who names it, a sentence each. */
export const findings = (
  row: string,
  named: ReadonlyArray<NamedTest>,
  tests: ReadonlyMap<string, string>
): ReadonlyArray<string> =>
  named.flatMap(({ file, title }) => {
    const text = tests.get(file)
    if (text === undefined) return [`${row} names the file ${file}, which is not there.`]
    return hasTitle(text, title) ? [] : [`${row}: ${file} has no test "${title}".`]
  })
