/** The environment of the programs that are started here: the person's, without what is ours, or only what everybody needs of it. */

export type Environment = Readonly<Record<string, string | undefined>>

/** `listed`: only the variables named here, beside those that it is given on purpose. */
export type Inheritance = "all" | "listed"

/** What programs need to be found, to find their files and to speak the person's language. */
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

/** Marks by which processes are found that were left behind: these go on to whatever a program starts. */
const marks: ReadonlySet<string> = new Set([
  "SIGNALBOX_AGENT",
  "SIGNALBOX_PROBE",
  "SIGNALBOX_CHAOS",
  "SIGNALBOX_TEST_RUN"
])

/** Whether a variable is meant for us alone: where our state lies, and with it the key to our page; how we were started. */
export const isOurs = (name: string): boolean => name.startsWith("SIGNALBOX_") && !marks.has(name)

/** `own`: given to it on purpose; `undefined` takes a variable away. */
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
