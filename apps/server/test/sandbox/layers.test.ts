/** The arguments of a sandbox: what covers what, and what can't be renamed. */
import { assert, describe, it } from "@effect/vitest"
import { argumentsOf, type Layers, trial } from "../../src/sandbox/Layers.ts"

const nothing: Layers = {
  temporary: [],
  visible: [],
  links: [],
  writable: [],
  guarded: [],
  hidden: [],
  named: { readable: [], writable: [] },
  empty: "/e"
}

/** The mounts of some layers, one text each. */
const mounts = (layers: Partial<Layers>): ReadonlyArray<string> => {
  const all = argumentsOf({
    layers: { ...nothing, ...layers },
    network: false,
    shown: [],
    environment: {},
    cwd: "/p"
  })
  return all
    .slice(trial.length, -2)
    .join(" ")
    .split(/ (?=--)/)
    .filter((text) => text !== "")
    .map((text) => text.replace(/^--/, "").replace(/^(\S*bind) (\S+) \2$/, "$1 $2"))
}

const folder = (path: string) => ({ path, kind: "folder" as const })
const file = (path: string) => ({ path, kind: "file" as const })

const cases: ReadonlyArray<readonly [string, Partial<Layers>, ReadonlyArray<string>]> = [
  [
    "a project in a temporary folder is there, whatever that hides",
    { temporary: ["/tmp"], writable: ["/tmp/p"] },
    ["tmpfs /tmp", "bind /tmp/p"]
  ],
  [
    "the program is seen in a temporary folder, and not bound elsewhere",
    { temporary: ["/tmp"], visible: ["/tmp/agent", "/usr/bin/agent"] },
    ["tmpfs /tmp", "ro-bind /tmp/agent"]
  ],
  [
    "each folder around what is guarded becomes a mount",
    { writable: ["/p"], guarded: ["/p/.git/hooks", "/p/.git/config"] },
    ["bind /p", "bind /p/.git", "ro-bind /p/.git/hooks", "ro-bind /p/.git/config"]
  ],
  [
    "so does each around what is hidden",
    { writable: ["/p"], hidden: [folder("/p/a/b/state")] },
    ["bind /p", "bind /p/a", "bind /p/a/b", "tmpfs /p/a/b/state", "remount-ro /p/a/b/state"]
  ],
  [
    "and none below what is read-only",
    {
      writable: ["/p", "/p/.git/objects"],
      guarded: ["/p/.git"],
      hidden: [file("/p/.git/a/key"), folder("/home/.ssh")]
    },
    [
      "bind /p",
      "ro-bind /p/.git",
      "bind /p/.git/objects",
      "ro-bind /e /p/.git/a/key",
      "tmpfs /home/.ssh",
      "remount-ro /home/.ssh"
    ]
  ],
  [
    "what is guarded stays so where another folder of the session has its path",
    { writable: ["/p", "/p/.vscode"], guarded: ["/p/.vscode"] },
    ["bind /p", "ro-bind /p/.vscode"]
  ],
  [
    "what people name counts more",
    {
      writable: ["/p"],
      guarded: ["/p/.vscode"],
      hidden: [folder("/h/.ssh"), file("/h/.npmrc")],
      named: { readable: ["/h/.ssh/known_hosts", "/h/.npmrc"], writable: ["/p/.vscode", "/h/.agent"] }
    },
    [
      "bind /p",
      "bind /p/.vscode",
      "bind /h/.agent",
      "tmpfs /h/.ssh",
      "ro-bind /h/.npmrc",
      "ro-bind /h/.ssh/known_hosts",
      "remount-ro /h/.ssh"
    ]
  ],
  [
    "a hidden folder covers what is hidden in it",
    { hidden: [file("/h/.docker/config.json"), folder("/h/.docker")] },
    ["tmpfs /h/.docker", "remount-ro /h/.docker"]
  ]
]

describe("the mounts of a sandbox", () => {
  it.each(cases)("%s", (_, layers, expected) => assert.deepStrictEqual(mounts(layers), expected))

  it("come before variables and the folder, and the network is there only if it is asked for", () => {
    const box = {
      layers: nothing,
      shown: [{ path: "/d", at: "/dev/d" }],
      environment: { A: "1", B: undefined },
      cwd: "/p"
    }
    const rest = ["--ro-bind", "/d", "/dev/d", "--setenv", "A", "1", "--unsetenv", "B", "--chdir", "/p"]
    assert.deepStrictEqual(argumentsOf({ ...box, network: false }), [...trial, ...rest])
    assert.deepStrictEqual(argumentsOf({ ...box, network: true }), [
      ...trial.filter((word) => word !== "--unshare-net"),
      ...rest
    ])
    assert.includeMembers([...trial], ["--unshare-user", "--disable-userns", "--unshare-pid", "--die-with-parent"])
  })
})
