/**
 * What the operating system tells of processes: which one a number means, the group that it belongs to, and the memory of a group.
 * A number alone names nobody: it is given out again.
 */
import * as Effect from "effect/Effect"
import { execFile, execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { basename } from "node:path"
import { codeOf } from "@signalbox/system/SystemError"

/** One process: its number, and its birth as a word. No other process with this number has that word, over all boots of the machine. */
export interface ProcessIdentity {
  readonly pid: number
  readonly birth: string
}

export interface ProcessRow extends ProcessIdentity {
  readonly group: number
  /** False for the dead that nobody has buried yet: they hold nothing. */
  readonly alive: boolean
}

export interface ProcessFacts {
  /** `undefined` if no such process lives, or the system does not tell. */
  readonly birthOf: (pid: number) => string | undefined
  /** All processes of now. Throws where the system does not tell. */
  readonly list: () => ReadonlyArray<ProcessRow>
  /** The file name of its program, as it was started; `undefined` if no such process lives. */
  readonly nameOf: (pid: number) => string | undefined
  /** The numbers of all processes, as far as their environments can be asked for. Throws where the system does not tell. */
  readonly pids: () => ReadonlyArray<number>
  /** What was in the environment of a process at its start, as `NAME=value`; nothing where that can't be known. */
  readonly environmentOf: (pid: number) => ReadonlyArray<string>
  /** The resident memory of process groups, in bytes; pages that members share are counted for each. Without what can't be known. */
  readonly residentBytes: (groups: ReadonlySet<number>) => Effect.Effect<ReadonlyMap<number, number>>
}

const isNumber = (name: string): boolean => /^\d+$/.test(name)

/** Whether a process is alive, by the letter that `/proc` and `ps` have for its state. */
const isAlive = (state: string): boolean => !state.startsWith("Z") && !state.startsWith("X")

/** Adds up what belongs to one of the groups. */
const sumOf = (groups: ReadonlySet<number>, parts: Iterable<readonly [group: number, kibibytes: number]>) => {
  const sums = new Map<number, number>()
  for (const [group, kibibytes] of parts) {
    if (groups.has(group) && kibibytes > 0) sums.set(group, (sums.get(group) ?? 0) + kibibytes * 1024)
  }
  return sums
}

// ------------------------------------------------------------------ Linux

/** The process may be gone by now, or be somebody else's: then there is nothing to be known of it. */
const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    // Nothing is known of any process then.
    if (isExhausted(error)) throw error
    return undefined
  }
}

/** Whether so many files are open that no other can be. */
const isExhausted = (error: unknown): boolean => ["EMFILE", "ENFILE"].includes(codeOf(error) ?? "")

const laterTextOf = (path: string): Promise<string | undefined> => readFile(path, "utf8").catch(() => undefined)

/** Fields of `/proc/PID/stat` that follow the name, which may itself hold spaces and parentheses (proc_pid_stat(5)). */
const statFields = (stat: string) => {
  const [state = "", , group = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ", 3)
  return { state, group: Number(group) }
}

/** Undefined for what says nothing of its program. Some shells put a hyphen before the name. */
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

/** Times of start come as text: always the same text for the same moment. */
const psOptions = { env: { PATH: "/bin:/usr/bin", LC_ALL: "C", TZ: "UTC" }, encoding: "utf8" } as const

const psColumns = ["-o", "pid=", "-o", "pgid=", "-o", "stat=", "-o", "lstart="]

const psRow = (line: string): ProcessRow | undefined => {
  const [, pid, group, state = "", birth = ""] = /^(\d+)\s+(\d+)\s+(\S+)\s+(\S.*)$/.exec(line) ?? []
  return pid === undefined ? undefined : { pid: Number(pid), group: Number(group), birth, alive: isAlive(state) }
}

/** Asks the `ps` of POSIX, with `lstart` as BSD and procps have it. It shows no environments. */
export const ps: ProcessFacts = {
  birthOf: (pid) => {
    try {
      const row = execFileSync("ps", [...psColumns, "-p", String(pid)], { ...psOptions, stdio: "pipe" })
      const { alive, birth } = psRow(row.trim()) ?? {}
      return alive ? birth : undefined
    } catch {
      // It exits with 1 when there is no such process.
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
