/**
 * The operating system's facts about processes: which process a number means, its group, and the memory of a group. A
 * number alone identifies nothing, since it is reused.
 */
import * as Effect from "effect/Effect"
import { execFile, execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { basename } from "node:path"
import { codeOf } from "@signalbox/system/SystemError"

/** One process: its number, and its birth as a text. The pair is unique, over all boots of the machine. */
export interface ProcessIdentity {
  readonly pid: number
  readonly birth: string
}

export interface ProcessRow extends ProcessIdentity {
  readonly group: number
  /** False for zombies, which hold no resources. */
  readonly alive: boolean
}

export interface ProcessFacts {
  /** The birth of a living process. Undefined if there is none, or the system does not report it. */
  readonly birthOf: (pid: number) => string | undefined
  /** All present processes. Throws if the system does not report them. */
  readonly list: () => ReadonlyArray<ProcessRow>
  /** The file name of its program at the start. Undefined if no such process lives. */
  readonly nameOf: (pid: number) => string | undefined
  /** The numbers of all processes whose environments may be readable. Throws if the system does not report them. */
  readonly pids: () => ReadonlyArray<number>
  /** The environment of a process at its start, as `NAME=value`. Empty if it is unknown. */
  readonly environmentOf: (pid: number) => ReadonlyArray<string>
  /**
   * The resident memory of process groups in bytes. Shared pages count for each member. Unknown groups are left out.
   */
  readonly residentBytes: (groups: ReadonlySet<number>) => Effect.Effect<ReadonlyMap<number, number>>
}

const isNumber = (name: string): boolean => /^\d+$/.test(name)

/** Whether a process is alive, by the letter that `/proc` and `ps` have for its state. */
const isAlive = (state: string): boolean => !state.startsWith("Z") && !state.startsWith("X")

/** Adds up the memory of these groups. */
const sumOf = (groups: ReadonlySet<number>, parts: Iterable<readonly [group: number, kibibytes: number]>) => {
  const sums = new Map<number, number>()
  for (const [group, kibibytes] of parts) {
    if (groups.has(group) && kibibytes > 0) sums.set(group, (sums.get(group) ?? 0) + kibibytes * 1024)
  }
  return sums
}

// ------------------------------------------------------------------ Linux

/** The text of a file. Undefined if the process is gone or belongs to another user. */
const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    // With no file descriptor left, nothing is known about any process, so this must fail.
    if (isExhausted(error)) throw error
    return undefined
  }
}

/** Whether too many files are open to open another. */
const isExhausted = (error: unknown): boolean => ["EMFILE", "ENFILE"].includes(codeOf(error) ?? "")

const laterTextOf = (path: string): Promise<string | undefined> => readFile(path, "utf8").catch(() => undefined)

/** Fields of `/proc/PID/stat` that follow the name, which may itself hold spaces and parentheses (proc_pid_stat(5)). */
const statFields = (stat: string) => {
  const [state = "", , group = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ", 3)
  return { state, group: Number(group) }
}

/** The name of a program. Undefined for an empty text. Some shells put a hyphen before it. */
const programName = (program: string | undefined): string | undefined => {
  const name = basename(program?.trim().split(" ", 1)[0] ?? "").replace(/^-/, "")
  return name === "" ? undefined : name
}

/** Field 22: clock ticks from the boot to the start. */
const startTicks = (stat: string): string => stat.slice(stat.lastIndexOf(")") + 2).split(" ", 20)[19] ?? ""

export const procfs: ProcessFacts = {
  birthOf: (pid) => {
    const boot = textOf("/proc/sys/kernel/random/boot_id")
    const stat = textOf(`/proc/${pid}/stat`)
    if (boot === undefined || stat === undefined || !isAlive(statFields(stat).state)) return undefined
    return `${boot.trim()}/${startTicks(stat)}`
  },
  list: () => {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
    return readdirSync("/proc").flatMap((name) => {
      const stat = isNumber(name) ? textOf(`/proc/${name}/stat`) : undefined
      if (stat === undefined) return []
      const { group, state } = statFields(stat)
      return [{ pid: Number(name), birth: `${boot}/${startTicks(stat)}`, group, alive: isAlive(state) }]
    })
  },
  nameOf: (pid) => programName(textOf(`/proc/${pid}/cmdline`)?.split("\0")[0]) ?? textOf(`/proc/${pid}/comm`)?.trim(),
  pids: () => readdirSync("/proc").filter(isNumber).map(Number),
  environmentOf: (pid) => textOf(`/proc/${pid}/environ`)?.split("\0") ?? [],
  residentBytes: (groups) =>
    Effect.promise(async () => {
      const memoryOf = async (pid: string): Promise<readonly [number, number]> => {
        const stat = await laterTextOf(`/proc/${pid}/stat`)
        const group = stat === undefined ? 0 : statFields(stat).group
        if (!groups.has(group)) return [group, 0]
        const size = /^VmRSS:\s*(\d+) kB/m.exec((await laterTextOf(`/proc/${pid}/status`)) ?? "")
        return [group, Number(size?.[1] ?? 0)]
      }
      const names = await readdir("/proc").catch(() => [])
      return sumOf(groups, await Promise.all(names.filter(isNumber).map(memoryOf)))
    })
}

// ------------------------------------------------------------------ macOS and others

/** Fixes language and time zone, so that one start time always has the same text. */
const psOptions = { env: { PATH: "/bin:/usr/bin", LC_ALL: "C", TZ: "UTC" }, encoding: "utf8" } as const

const psColumns = ["-o", "pid=", "-o", "pgid=", "-o", "stat=", "-o", "lstart="]

const psRow = (line: string): ProcessRow | undefined => {
  const [, pid, group, state = "", birth = ""] = /^(\d+)\s+(\d+)\s+(\S+)\s+(\S.*)$/.exec(line) ?? []
  return pid === undefined ? undefined : { pid: Number(pid), group: Number(group), birth, alive: isAlive(state) }
}

/** Uses POSIX `ps`, with `lstart` of BSD and procps. It shows no environments. */
export const ps: ProcessFacts = {
  birthOf: (pid) => {
    try {
      const row = execFileSync("ps", [...psColumns, "-p", String(pid)], { ...psOptions, stdio: "pipe" })
      const { alive, birth } = psRow(row.trim()) ?? {}
      return alive ? birth : undefined
    } catch {
      // `ps` exits with 1 if there is no such process.
      return undefined
    }
  },
  list: () =>
    execFileSync("ps", ["-A", ...psColumns], psOptions)
      .split("\n")
      .flatMap((line) => psRow(line.trim()) ?? []),
  nameOf: (pid) => {
    try {
      const program = execFileSync("ps", ["-o", "comm=", "-p", String(pid)], { ...psOptions, stdio: "pipe" })
      return programName(program)
    } catch {
      return undefined
    }
  },
  pids: () => [],
  environmentOf: () => [],
  residentBytes: (groups) =>
    Effect.callback<ReadonlyMap<number, number>>((resume) => {
      const child = execFile("ps", ["-A", "-o", "pgid=", "-o", "rss="], psOptions, (error, stdout) => {
        const rows = error === null ? stdout.trim().split("\n") : []
        const parts = rows.map((row): readonly [number, number] => {
          const [group, kibibytes] = row.trim().split(/\s+/)
          return [Number(group), Number(kibibytes)]
        })
        resume(Effect.succeed(sumOf(groups, parts)))
      })
      return Effect.sync(() => child.kill())
    })
}

export const ofThisSystem: ProcessFacts = process.platform === "linux" ? procfs : ps
