/** @returns the exit code of a command that did what it should. */
export const print = (line: string): number => {
  process.stdout.write(`${line}\n`)
  return 0
}

/** @returns the exit code of a command that did not. */
export const complain = (line: string): number => {
  process.stderr.write(`${line}\n`)
  return 1
}
