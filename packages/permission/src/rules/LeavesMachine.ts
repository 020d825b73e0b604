/**
 * Notes that a command may leave this machine. It is a note for people, and no verdict: programs that are not known here may do it, too.
 */
import type { Word } from "../shell/ShellReading.ts"

const sends = "sends data to another machine"
const fetches = "fetches data from another machine"
const connects = "connects to another machine"

/** Programs that are there to connect, whatever their arguments are. */
const connecting: ReadonlySet<string> = new Set(
  (
    "curl wget http https xh aria2c ssh scp sftp rsync mosh nc ncat netcat telnet ftp socat dig nslookup host whois ping " +
    "gh glab hub aws gcloud gsutil az kubectl helm heroku vercel netlify fly flyctl wrangler firebase doctl " +
    "mail sendmail twine rclone s3cmd ngrok cloudflared ssh-copy-id"
  ).split(" ")
)

/** Programs that fetch what they run. */
const fetching: ReadonlySet<string> = new Set("npx pnpx bunx uvx".split(" "))

interface Subcommands {
  readonly sends?: string
  readonly fetches?: string
}

const packages = {
  sends: "publish login",
  fetches: "install i ci add update up upgrade dlx create audit outdated view info import"
}
const containers: Subcommands = { sends: "push login", fetches: "pull run build compose create search" }
const systemPackages: Subcommands = { fetches: "install update upgrade dist-upgrade full-upgrade add tap" }
const python: Subcommands = { sends: "publish upload", fetches: "install download add sync lock update run pip tool" }

/** Programs of which some subcommands connect. */
const bySubcommand: ReadonlyMap<string, Subcommands> = new Map(
  Object.entries<Subcommands>({
    git: { sends: "push send-email", fetches: "fetch pull clone ls-remote submodule remote lfs archive" },
    npm: { ...packages, fetches: `${packages.fetches} exec x init` },
    pnpm: packages,
    yarn: packages,
    bun: packages,
    deno: { sends: "publish deploy", fetches: "install add cache run" },
    pip: python,
    pip3: python,
    pipx: python,
    uv: python,
    poetry: python,
    cargo: { sends: "publish login", fetches: "install fetch add update search" },
    go: { fetches: "get install mod" },
    gem: { sends: "push signin", fetches: "install update fetch" },
    bundle: { fetches: "install update add" },
    composer: { fetches: "install update require create-project" },
    mvn: { sends: "deploy" },
    docker: containers,
    podman: containers,
    terraform: { sends: "apply destroy", fetches: "init plan" },
    apt: systemPackages,
    "apt-get": systemPackages,
    brew: systemPackages,
    dnf: systemPackages,
    yum: systemPackages,
    apk: systemPackages
  })
)

/** Options before the subcommand of Git whose value is the next word. */
const gitValues: ReadonlySet<string> = new Set(["-C", "-c", "--git-dir", "--work-tree", "--namespace"])

/** A clause without a subject, or undefined if nothing known here leaves this machine. */
export const of = ([program, ...args]: ReadonlyArray<Word>): string | undefined => {
  const name = nameOf(program)
  const addresses = args.flatMap((arg) => (arg.type === "literal" ? hostsIn(arg.value) : []))
  const isLocal = addresses.length > 0 && addresses.every(isLoopback)
  if (connecting.has(name)) return isLocal ? undefined : connects
  if (fetching.has(name)) return fetches
  const known = bySubcommand.get(name)
  const subcommand = known === undefined ? undefined : subcommandOf(name, args)
  if (subcommand === "" || includes(known?.fetches, subcommand)) return fetches
  if (includes(known?.sends, subcommand)) return sends
  return addresses.some((host) => !isLoopback(host)) ? connects : undefined
}

const nameOf = (program: Word | undefined): string =>
  program?.type === "literal" ? program.value.slice(program.value.lastIndexOf("/") + 1) : ""

/** The first word that is no option. Empty if it is known only when the command runs. */
const subcommandOf = (name: string, args: ReadonlyArray<Word>): string | undefined => {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at]
    if (arg?.type !== "literal") return ""
    if (name === "git" && gitValues.has(arg.value)) at += 1
    else if (!arg.value.startsWith("-")) return arg.value
  }
  // `yarn` alone installs.
  return name === "yarn" && args.length === 0 ? "install" : undefined
}

const includes = (names: string | undefined, name: string | undefined): boolean =>
  name !== undefined && names !== undefined && names.split(" ").includes(name)

const longest = 4096

/** The hosts that a word names: of an address, or of `user@host:path`. */
const hostsIn = (value: string): ReadonlyArray<string> => {
  if (value.length > longest) return []
  const address = /(?:https?|wss?|ssh|git|ftps?|sftp|rsync):\/\/[^\s"'<>]+/i.exec(value)?.[0]
  if (address !== undefined) return URL.canParse(address) ? [new URL(address).hostname] : []
  const host = /^[\w.-]+@([\w.-]+):/.exec(value)?.[1]
  return host === undefined ? [] : [host]
}

export const isLoopback = (host: string): boolean =>
  host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host)
