import type { Download, KnownAgent } from "./KnownAgent.ts"

const version = "2026.10.01"

const download = (system: string, processor: string, archive: string, cmd: string): Download => ({
  archive: `https://downloads.cursor.com/lab/${version}-e373342/${system}/${processor}/agent-cli-package.${archive}`,
  cmd,
  args: ["acp"]
})

const unix = (system: string, processor: string) => download(system, processor, "tar.gz", "./dist-package/cursor-agent")
const windows = (processor: string) => download("windows", processor, "zip", "./dist-package\\cursor-agent.cmd")

export const cursor: KnownAgent = {
  id: "cursor",
  name: "Cursor",
  source: "Its entry in the public registry of ACP agents, which has no checksums.",
  // Cursor is installed as `agent`, too, but other programs have that name.
  programs: ["cursor-agent"],
  binary: {
    version,
    targets: {
      "darwin-aarch64": unix("darwin", "arm64"),
      "darwin-x86_64": unix("darwin", "x64"),
      "linux-aarch64": unix("linux", "arm64"),
      "linux-x86_64": unix("linux", "x64"),
      "windows-aarch64": windows("arm64"),
      "windows-x86_64": windows("x64")
    }
  }
}
