/**
 * The environment of the programs that Signalbox starts: the user's, without Signalbox's own variables, or only the
 * variables that every program needs.
 */

export type Environment = Readonly<Record<string, string | undefined>>

/** What a program inherits. `listed`: only the variables in the list below, besides those it is given explicitly. */
export type Inheritance = "all" | "listed"

/** Variables that programs need to be found, to find their files and to use the user's language. */
const listed: ReadonlySet<string> = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "PWD",
  "TMPDIR",
  "LANG",
  "LANGUAGE",
  "TZ",
  "TERM",
  "COLORTERM",
  "NO_COLOR",
  "XDG_CACHE_HOME",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_STATE_HOME"
])
const isListed = (name: string): boolean => listed.has(name) || name.startsWith("LC_")

/** Marks that find processes left behind. Programs pass them on to the processes that they start. */
const marks: ReadonlySet<string> = new Set([
  "SIGNALBOX_AGENT",
  "SIGNALBOX_PROBE",
  "SIGNALBOX_CHAOS",
  "SIGNALBOX_TEST_RUN"
])

/**
 * Whether a variable is meant for Signalbox alone. Such variables name its state folder, which holds the key to its
 * page, and how it was started.
 */
export const isOurs = (name: string): boolean => name.startsWith("SIGNALBOX_") && !marks.has(name)

/** The environment of a program. `own`: variables that it is given explicitly; `undefined` removes one. */
export const of = (host: Environment, own: Environment, inheritance: Inheritance = "all"): Record<string, string> => {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(host)) {
    if (value === undefined || isOurs(name)) continue
    if (inheritance === "all" || isListed(name) || marks.has(name)) env[name] = value
  }
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined) delete env[name]
    else env[name] = value
  }
  return env
}
