/** Makes lines and lets a shell run them. A line that was misread is made as small as it can be. */
import * as ShellLine from "../../src/shell/ShellLine.ts"
import * as Agreement from "./Agreement.ts"
import { Choices, randomly, simpler } from "./Choices.ts"
import * as Grammar from "./Grammar.ts"
import * as Oracle from "./Oracle.ts"

type Row = ReadonlyArray<number>

interface Failure {
  readonly row: Row
  readonly line: string
  readonly complaints: ReadonlyArray<string>
}

export interface Outcome {
  /** Lines that could be read in full, and ran something. */
  readonly compared: number
  /** The first line that did what was not read in it, as small as it could be made. */
  readonly failure: string | undefined
}

/** Lines that one shell runs. */
const atOnce = 400

export const fuzz = async (shell: Oracle.Shell, seed: number, count: number): Promise<Outcome> => {
  const random = randomly(seed)
  let compared = 0
  for (let done = 0; done < count; done += atOnce) {
    const rows = Array.from({ length: Math.min(atOnce, count - done) }, () =>
      Array.from({ length: 8 + (random() % 50) }, random)
    )
    const { failures, told } = await tried(shell, rows)
    compared += told
    const [first] = failures
    if (first === undefined) continue
    const { complaints, line } = await smallest(shell, first)
    return { compared, failure: `seed ${seed}, ${shell}: ${JSON.stringify(line)}\n${complaints.join("\n")}` }
  }
  return { compared, failure: undefined }
}

/** A line whose files are known by its place. */
const placed = (line: string, index: number): string => line.replaceAll("q0", `q${index + 1}_`)

/** What was not read in these lines. Their files are called `q0`. */
export const complaintsAbout = async (
  shell: Oracle.Shell,
  given: ReadonlyArray<string>
): Promise<ReadonlyArray<string>> => {
  const lines = given.map(placed)
  const observed = await Oracle.observe(shell, lines)
  return lines.flatMap((line, index) =>
    Agreement.complaints(ShellLine.read(line), observed[index] ?? { runs: [], written: [] }).map(
      (complaint) => `${JSON.stringify(line)} ${complaint}`
    )
  )
}

const tried = async (shell: Oracle.Shell, rows: ReadonlyArray<Row>) => {
  const lines = rows.map((row, index) => {
    const line = placed(Grammar.line(new Choices(row), Oracle.isSandboxed), index)
    // To dash a dollar before a quote is a dollar.
    return shell === "dash" ? line.replaceAll(/\$+'/g, "'") : line
  })
  const observed = await Oracle.observe(shell, lines)
  const failures: Array<Failure> = []
  let told = 0
  for (const [index, line] of lines.entries()) {
    const [row, seen] = [rows[index], observed[index]]
    if (row === undefined || seen === undefined) continue
    const reading = ShellLine.read(line)
    if (reading.obstacles.length === 0 && seen.runs.length > 0) told += 1
    const complaints = Agreement.complaints(reading, seen)
    if (complaints.length > 0) failures.push({ row, line, complaints })
  }
  return { failures, told }
}

/** Tries simpler rows until none of them fails. */
const smallest = async (shell: Oracle.Shell, failure: Failure): Promise<Failure> => {
  let best = failure
  for (let round = 0; round < 40; round += 1) {
    const candidates = simpler(best.row).slice(0, atOnce)
    const { failures } = await tried(shell, candidates)
    const [next] = failures.toSorted((one, other) => one.line.length - other.line.length)
    if (next === undefined || next.row.join() === best.row.join()) return best
    best = next
  }
  return best
}
