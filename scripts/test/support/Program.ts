/** Programs as a test calls them: to their end, or until they say something. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"

export interface Options {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly child: ChildProcessWithoutNullStreams
  readonly ended: Promise<Ended>
  /** Resolves when its output has a match; rejects when it ends without one. */
  readonly says: (pattern: RegExp) => Promise<RegExpExecArray>
}

export const start = (command: string, args: ReadonlyArray<string>, options: Options): Running => {
  const child = spawn(command, args, options)
  const texts = { stdout: "", stderr: "" }
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8")
    child[name].on("data", (text: string) => void (texts[name] += text))
  }
  child.stdin.end()
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (code) => resolve({ code, ...texts }))
  })
  const says = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(texts.stdout)
        if (match !== null) resolve(match)
      }
      child.stdout.on("data", look)
      look()
      ended.then(({ stderr }) => reject(new Error(`It ended and never said ${pattern}: ${stderr}`)), reject)
    })
  return { child, ended, says }
}

export const call = (command: string, args: ReadonlyArray<string>, options: Options): Promise<Ended> =>
  start(command, args, options).ended

/** Words for Node's command line that make it take itself for another one. */
export const asNode = (folder: string, changes: Partial<Record<"version" | "platform" | "arch", string>>) => {
  const file = join(folder, `as-node-${Object.values(changes).join("-")}.cjs`)
  const { version, ...others } = changes
  const statements = [
    ...(version === undefined ? [] : [`set(process.versions, "node", ${JSON.stringify(version)})`]),
    ...Object.entries(others).map(([name, value]) => `set(process, "${name}", ${JSON.stringify(value)})`)
  ]
  writeFileSync(
    file,
    `const set = (of, name, value) => Object.defineProperty(of, name, { value })\n${statements.join("\n")}\n`
  )
  return ["--require", file]
}
