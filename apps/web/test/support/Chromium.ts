/** The browser of the story: the machine's own, headless, with its own profile. */
import { type Browser, chromium } from "playwright-core"
import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const candidates = (): ReadonlyArray<string> =>
  [...(process.env["PATH"] ?? "").split(delimiter), "/usr/bin"]
    .filter((folder) => folder !== "")
    .flatMap((folder) => names.map((name) => join(folder, name)))

const named = process.env["SIGNALBOX_CHROMIUM"]

/** `$SIGNALBOX_CHROMIUM`, else the first Chromium or Chrome in `PATH` and `/usr/bin`; absent when there is none. */
export const chromiumPath: string | undefined = (named === undefined ? candidates() : [named]).find(isExecutable)

/** With this set, a machine without a browser fails; elsewhere the story is skipped there. */
export const chromiumIsRequired = process.env["SIGNALBOX_REQUIRE_BROWSER"] === "1"

export const noChromium =
  "No Chromium was found: install one (Debian: apt-get install chromium) or name it in SIGNALBOX_CHROMIUM."

const quiet = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // To start a process for every page costs more than most tests do.
  "--process-per-site"
]

/** Starts it; a fresh profile is made for it and removed when it is closed. Whatever else it keeps goes into `home`. */
export const launchChromium = async (home: string): Promise<Browser> => {
  if (chromiumPath === undefined) throw new Error(noChromium)
  return chromium.launch({ executablePath: chromiumPath, args: quiet, env: { ...process.env, HOME: home } })
}
