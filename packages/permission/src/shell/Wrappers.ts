/** Programs and builtins that run what their arguments or their input say, so that their own name says nothing. */

const programs: ReadonlySet<string> = new Set(
  `env xargs gxargs genv parallel sem sudo doas su pkexec runuser sg newgrp run0 nohup gnohup nice gnice ionice chrt taskset setarch linux32
  linux64 i386 x86_64 uname26 arch timeout gtimeout setsid stdbuf gstdbuf unbuffer time gtime watch script scriptreplay expect rlwrap ssh slogin
  rsh rexec mosh sshpass autossh chroot gchroot unshare nsenter setpriv capsh runcon chpst softlimit prlimit numactl cpulimit flock lockf
  strace ltrace dtruss gdb lldb valgrind perf busybox toybox sh bash rbash dash zsh ksh ksh93 mksh lksh pdksh oksh yash fish ash csh tcsh rc es osh
  ysh elvish nu xonsh pwsh powershell cmd cmd.exe powershell.exe pwsh.exe wsl wsl.exe bash.exe sh.exe at batch crontab systemd-run machinectl
  systemd-nspawn start-stop-daemon daemon daemonize run-parts fakeroot fakechroot proot bwrap firejail sandbox-exec caffeinate eatmydata torsocks
  torify tsocks proxychains proxychains4 dbus-run-session dbus-launch xvfb-run ssh-agent tmux screen dtach abduco zellij entr watchexec
  nodemon inotifyrun socat ncat nc netcat ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-musl-x86_64.so.1
  ld-musl-aarch64.so.1 catchsegv winpty command-not-found`.split(/\s+/)
)

/** Builtins that evaluate text, or that change what later words mean. */
const builtins: ReadonlyMap<string, string> = new Map(
  Object.entries({
    eval: "runs its arguments as a command line",
    source: "runs the commands of a file",
    ".": "runs the commands of a file",
    trap: "runs a command line later",
    alias: "gives words another meaning",
    unalias: "gives words another meaning",
    enable: "gives words another meaning",
    hash: "gives words another meaning",
    bind: "runs command lines at keys",
    history: "reads and writes earlier command lines",
    fc: "runs earlier command lines",
    complete: "runs commands for completion",
    compgen: "runs commands for completion",
    compopt: "runs commands for completion",
    builtin: "runs the words behind it",
    command: "runs the words behind it",
    exec: "runs the words behind it",
    noglob: "runs the words behind it",
    nocorrect: "runs the words behind it",
    let: "evaluates its arguments",
    logout: "runs the commands of a file",
    // A subshell, a test or a function of one shell is a program of this name in another one.
    "[[": "is read otherwise by other shells",
    function: "is read otherwise by other shells",
    coproc: "is read otherwise by other shells",
    select: "is read otherwise by other shells"
  })
)

/** Options of programs that search files, with which they run programs or change files. */
const searches: ReadonlyMap<string, RegExp> = new Map([
  ["find", /^-(?:exec|execdir|ok|okdir|delete|fprint.*|fls)$/],
  ["gfind", /^-(?:exec|execdir|ok|okdir|delete|fprint.*|fls)$/],
  ["bfs", /^-(?:exec|execdir|ok|okdir|delete|fprint.*|fls|rm)$/],
  ["fd", /^(?:-[a-zA-Z]*[xX].*|--exec.*)$/],
  ["fdfind", /^(?:-[a-zA-Z]*[xX].*|--exec.*)$/]
])

/** Why nobody can say what a program of this name runs. Undefined for most names. */
export const whyUnknown = (name: string): string | undefined => {
  const base = name.slice(name.lastIndexOf("/") + 1).toLowerCase()
  return programs.has(base) ? "runs what its arguments or its input say" : builtins.get(name)
}

/** The options with which this program runs others or changes files; undefined if it has none. */
export const runningOptions = (name: string): RegExp | undefined =>
  searches.get(name.slice(name.lastIndexOf("/") + 1).toLowerCase())
