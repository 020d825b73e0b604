/**
 * Names of variables. Those of programs have capital letters, by convention; the others are a line's own. So a name with a capital letter is
 * known to change nothing, or nobody can say what it changes. Other names change nothing, but for those that programs are known to read.
 */

/** Variables by which shells and programs find, load or start other programs, or read lines otherwise. `*` stands for any text. */
const changing = `PATH IFS ENV HOME CDPATH PWD OLDPWD SHELL SHELLOPTS BASH* PROMPT_COMMAND PS0 PS1 PS2 PS3 PS4 POSIXLY_CORRECT GLOBIGNORE
  EXECIGNORE FIGNORE FPATH FUNCNEST INPUTRC HIST* RANDOM SRANDOM SECONDS OPTIND LINENO EPOCH* DIRSTACK UID EUID PPID FCEDIT ZDOTDIR ZSH* KSH* FISH*
  LD_* DYLD_* GCONV_PATH LOCPATH NLSPATH MALLOC_* GLIBC_* OPENSSL_* SSL_CERT_* XDG_CONFIG_* XDG_DATA_* DBUS_* TERMINFO* TERMCAP HOSTALIASES
  *PAGER* *EDITOR* *ASKPASS* *_COMMAND *_RSH *_SHELL *_WRAPPER *_LAUNCHER *_OPTS *_OPTIONS *_PRELOAD *_EXEC_PREFIX BROWSER VISUAL LESS* MORE
  MANOPT MANROFFOPT GIT_* SSH_* SUDO_* SVN_* HG* CVS* RSYNC_* TAR_* GZIP XZ_* ZSTD_* GREP_* FZF_* VIM* EXINIT NVIM* EMACS* GNUPGHOME
  NODE_OPTIONS NODE_PATH NODE_REPL_* NODE_EXTRA_CA_CERTS NPM_* npm_* YARN_* PNPM_* COREPACK_* BUN_* DENO_* TS_NODE_* ELECTRON_*
  PYTHON* PIP_* PIPENV_* PIPX_* POETRY_* UV_* CONDA_* VIRTUALENV_* PYTEST_* PERL* PROVE* RUBY* GEM_* BUNDLE_* RAKE* LUA_* PHP* R_* TCL* GUILE_*
  JAVA* _JAVA* JDK_* CLASSPATH MAVEN_* GRADLE_* ANT_* SBT_* KOTLIN_* SCALA_* GROOVY_* CORECLR_* COR_* DOTNET_* MSBUILD* NUGET_*
  RUSTC* RUSTDOC* RUSTFLAGS RUSTUP_* CARGO* GOFLAGS GOPATH GOROOT GOBIN GOENV GOTOOLCHAIN GOTOOLDIR GOPROXY GONOSUMDB GONOSUMCHECK GOSUMDB CGO_* GCCGO
  MAKE* MFLAGS GNUMAKEFLAGS CC CXX CPP CPPFLAGS CFLAGS CXXFLAGS LDFLAGS LD AR AS NM RANLIB STRIP OBJCOPY OBJDUMP FC F77 COMPILER_PATH GCC_*
  CCACHE_* SCCACHE_* DISTCC_* CMAKE_* CTEST_* NINJA* MESON* BAZEL* PKG_CONFIG* ACLOCAL* AUTO* LIBTOOL* M4* YACC LEX
  DOCKER_* COMPOSE_* KUBECONFIG KUBE* HELM_* AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE AWS_CA_BUNDLE GOOGLE_* CLOUDSDK_* AZURE_* ANSIBLE_*
  TF_* VAGRANT_* PACKER_* KRB5_* PG* MYSQL_* SQLITE_* REDISCLI_* GTK* GIO_* GST_* QT_* WINE* DISPLAY WAYLAND_DISPLAY MAIL MAILPATH MAILCHECK
  *_proxy pnpm_* yarn_* path fpath cdpath manpath module_path fignore aliases galiases saliases commands functions options parameters`

const names = changing.trim().split(/\s+/)
const whole = new Set(names.filter((name) => !name.includes("*")))
const beginnings = names.filter((name) => /^[^*]+\*$/.test(name)).map((name) => name.slice(0, -1))
const ends = names.filter((name) => /^\*[^*]+$/.test(name)).map((name) => name.slice(1))
const pieces = names.filter((name) => /^\*.*\*$/.test(name)).map((name) => name.slice(1, -1))

/** Whether giving this variable a value changes what runs, or how the rest of the line is read. */
const changesWhatRuns = (name: string): boolean =>
  whole.has(name) ||
  beginnings.some((beginning) => name.startsWith(beginning)) ||
  ends.some((end) => name.endsWith(end)) ||
  pieces.some((piece) => name.includes(piece))

const isSwitch = /^(?:0|1|true|false)?$/
const isLocale = /^(?:C|C\.UTF-8|C\.utf8|POSIX|en_US\.UTF-8)$/
const isCat = /^cat$/
const isWords = /^[\w:=,.*-]*$/

/** Variables that change how or how much a program shows. With these values they change nothing else. */
const harmless: ReadonlyMap<string, RegExp> = new Map([
  ...`CI FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONUTF8 PYTHONFAULTHANDLER
  GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS NODE_NO_WARNINGS DO_NOT_TRACK NEXT_TELEMETRY_DISABLED TURBO_TELEMETRY_DISABLED
  DOTNET_CLI_TELEMETRY_OPTOUT VERBOSE`
    .split(/\s+/)
    .map((name) => [name, isSwitch] as const),
  ...["LANG", "LC_ALL", "LC_CTYPE", "LC_COLLATE"].map((name) => [name, isLocale] as const),
  ...["PAGER", "GIT_PAGER", "GH_PAGER", "MANPAGER"].map((name) => [name, isCat] as const),
  ...["DEBUG", "RUST_LOG", "LOG_LEVEL", "CARGO_TERM_COLOR"].map((name) => [name, isWords] as const),
  ["NODE_ENV", /^(?:test|development)$/],
  ["RUST_BACKTRACE", /^(?:0|1|full)$/],
  ["PYTHONHASHSEED", /^(?:random|\d+)$/],
  ["COLUMNS", /^\d+$/],
  ["LINES", /^\d+$/],
  ["TZ", /^UTC$/]
])

/** Whether a text is a variable's name and nothing else. A subscript behind a name is evaluated, commands in it too. */
export const isPlainName = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text)

/**
 * The reason for which nobody can say what an assignment to this target does.
 *
 * @param value the text that it gets. Undefined where that is not known
 */
export const whyNotAssigned = (target: string, value?: string): string | undefined => {
  const [, name, subscript] = /^([A-Za-z_]\w*)(?:\[(.*)\])?$/s.exec(target) ?? []
  if (name === undefined) return "sets a variable whose name is known when it runs only"
  if (subscript === undefined && value !== undefined && harmless.get(name)?.test(value) === true) return undefined
  if (changesWhatRuns(name)) return "changes what runs"
  if (/[A-Z]/.test(name)) return "may change what a program does"
  return subscript === undefined || isInteger(subscript) ? undefined : "evaluates a subscript, commands in it too"
}

/** A number that can be read in no other way. */
export const isInteger = (text: string): boolean => /^-?(?:0[xX][0-9a-fA-F]+|\d+)$/.test(text)
