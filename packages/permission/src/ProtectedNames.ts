/**
 * The names of files that run by themselves, hold keys, or decide what runs. They are not read or written for agents, even inside their
 * session's folders.
 */

export type Access = "read" | "write"

interface Group {
  /** Names of files or folders, or a folder and an entry of it: `folder/name`. */
  readonly names: ReadonlyArray<string>
  /** The reason, to stand behind the name in a sentence. */
  readonly why: string
  /** What is refused. `write`: only writing; reading is allowed. */
  readonly refused: "all" | "write"
  /**
   * The places that the name counts in. `below`: not the path of the session's own folder. Some agents make their
   * worktrees in such folders.
   */
  readonly counts: "everywhere" | "below"
  /** Whether a folder with such an entry can't be searched as a whole. */
  readonly spreads?: true
  /** What the built-in rules refuse, whoever asks. Otherwise people are asked. */
  readonly denied?: "all" | "write"
}

const words = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

const holdsKeys = "holds keys or passwords"

const groups: ReadonlyArray<Group> = [
  {
    names: words(".git git~1"),
    why: "belongs to Git, which runs programs that are named there",
    refused: "all",
    counts: "everywhere",
    denied: "write"
  },
  {
    names: words(`
      .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .mkshrc
      .shrc .cshrc .tcshrc .login .logout .config/fish config.fish .envrc .inputrc .xprofile .xinitrc .xsession .xsessionrc
    `),
    why: "runs when a shell or a login starts",
    refused: "all",
    counts: "everywhere",
    denied: "write"
  },
  {
    names: words(`
      .ssh .gnupg .aws .azure .kube .password-store .docker/config.json .config/gh .config/gcloud .git-credentials .netrc _netrc .pgpass
      .my.cnf .vault-token .authinfo .cargo/credentials .cargo/credentials.toml .gem/credentials
    `),
    why: holdsKeys,
    refused: "all",
    counts: "everywhere",
    spreads: true,
    denied: "all"
  },
  {
    // Many projects have these files without a password, so their folders may be searched.
    names: words(".npmrc .pypirc"),
    why: holdsKeys,
    refused: "all",
    counts: "everywhere"
  },
  {
    names: words(".signalbox .cursor .claude .claude.json .codex .gemini .qwen .windsurf .mcp.json"),
    why: "decides what agents may run",
    refused: "all",
    counts: "below"
  },
  {
    names: words(`
      .gitconfig .config/git .config/autostart .config/systemd Library/LaunchAgents .curlrc .wgetrc .gdbinit .lldbinit .tmux.conf
      .screenrc .vimrc .gvimrc .exrc .emacs .emacs.d .config/nvim
    `),
    why: "names programs to run",
    refused: "write",
    counts: "everywhere"
  },
  {
    names: words(".vscode .idea .zed .devcontainer"),
    why: "names programs for an editor to run",
    refused: "write",
    counts: "below"
  }
]

/** Names that spread: a folder that has one can't be searched as a whole. */
export const spreading: ReadonlyArray<string> = groups.flatMap(({ names, spreads }) => (spreads === true ? names : []))

/** Names that hold keys or passwords, in a home folder. */
export const keyNames: ReadonlyArray<string> = groups.flatMap(({ names, why }) => (why === holdsKeys ? names : []))

/** Names that decide what runs, but for those of Git: agents do not write them. */
export const decidingNames: ReadonlyArray<string> = groups.flatMap(({ names }) => (names.includes(".git") ? [] : names))

/**
 * A name as the most tolerant file system compares it: without case, invisible characters, and dots or spaces at its
 * end. So `.GIT` and `.git.` count as `.git` everywhere.
 */
export const folded = (name: string): string =>
  name
    .normalize("NFKC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()
    .replace(/(?<=[^. ])[. ]{1,255}$/, "")

const known: ReadonlyMap<string, Group> = new Map(
  groups.flatMap((group) => group.names.map((name) => [name.toLowerCase(), group] as const))
)

/** A protected part of a path. `name`: as the path has it. */
export interface Found {
  readonly name: string
  readonly group: Group
}

/** The first protected part of an absolute path without links. `free`: the number of leading parts that belong to the session's own folder. */
export const protectedPart = (path: string, free: number, access: Access): Found | undefined => {
  const parts = path.split("/").filter((part) => part !== "")
  const names = parts.map(folded)
  for (const [index, name] of names.entries()) {
    const before = names[index - 1]
    const candidates = before === undefined ? [name] : [name, `${before}/${name}`]
    for (const candidate of candidates) {
      const group = known.get(candidate)
      if (group === undefined || (group.refused === "write" && access === "read")) continue
      if (group.counts === "everywhere" || index >= free)
        return { group, name: parts.slice(candidate === name ? index : index - 1, index + 1).join("/") }
    }
  }
  return undefined
}

/** The number of parts of an absolute path. */
export const depthOf = (path: string): number => path.split("/").filter((part) => part !== "").length
