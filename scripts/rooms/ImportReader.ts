/** Reads from a file which modules it imports. Types count, and so do `export … from`, `import()` and `import("…")` in a type. */
import { parseSync, Visitor } from "rolldown/utils"

export interface WrittenImport {
  readonly specifier: string
  /** Counted from 1. */
  readonly line: number
  /** Whether only types are imported, so that nothing is loaded. */
  readonly types: boolean
}

/** An `import()` of an address that is only known when it runs is left out. */
export const readImports = (path: string, text: string): ReadonlyArray<WrittenImport> => {
  const { errors, module, program } = lazily(path, text)
  if (errors[0] !== undefined) throw new Error(`${path} cannot be parsed: ${errors[0].message}`)
  const found: Array<Found> = []
  for (const { entries, moduleRequest } of module.staticImports) {
    const types = entries.length > 0 && entries.every(({ isType }) => isType)
    found.push({ specifier: moduleRequest.value, start: moduleRequest.start, types })
  }
  for (const { entries } of module.staticExports) {
    // One statement has an entry for each name.
    const request = entries[0]?.moduleRequest
    const types = entries.every(({ isType }) => isType)
    if (request) found.push({ specifier: request.value, start: request.start, types })
  }
  // To walk over the tree is costly: few files need it.
  if (/\bimport\s*\(|\brequire\s*\(/.test(text)) {
    new Visitor({
      ImportExpression: ({ source }) => void found.push(...literal(source, false)),
      TSImportType: ({ source }) => void found.push(...literal(source, true)),
      TSExternalModuleReference: ({ expression }) => void found.push(...literal(expression, false))
    }).visit(program())
  }
  const lineOf = lineCounter(text)
  return found
    .map(({ specifier, start, types }) => ({ specifier, line: lineOf(start), types }))
    .sort((a, b) => a.line - b.line)
}

interface Found {
  readonly specifier: string
  readonly start: number
  readonly types: boolean
}

/** The parser makes the tree of a file when `program` is read for the first time. */
const lazily = (path: string, text: string) => {
  const result = parseSync(path, text)
  return { errors: result.errors, module: result.module, program: () => result.program }
}

interface Expression {
  readonly type: string
  readonly start: number
  readonly value?: unknown
  readonly quasis?: ReadonlyArray<{ readonly value: { readonly cooked: string | null } }>
}

const literal = (source: Expression, types: boolean): ReadonlyArray<Found> => {
  const { quasis, start, value } = source
  const specifier = quasis?.length === 1 ? quasis[0]?.value.cooked : value
  return typeof specifier === "string" ? [{ specifier, start, types }] : []
}

const lineCounter = (text: string): ((offset: number) => number) => {
  const ends: Array<number> = []
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) ends.push(at)
  return (offset) => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? 0) < offset) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}
