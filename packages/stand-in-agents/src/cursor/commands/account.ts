import { arch, platform } from "node:os"
import { email } from "../Account.ts"
import { CliConfig } from "../CliConfig.ts"
import { ModelSelection } from "../ModelSelection.ts"
import { Random } from "../Random.ts"
import { Timeline } from "../Timeline.ts"
import { formatOf, type Command, type Invocation } from "./invocation.ts"
import { complain, print } from "./output.ts"

/** A key is not a login: with nothing but a key, this says "not logged in", although prompts work. */
export const status: Command = (invocation) => {
  const format = formatOf(invocation)
  if (typeof format === "object") return complain(format.complaint)
  const { loggedIn } = invocation.account
  if (format === "text") return print(loggedIn ? `✓ Logged in as ${email}` : "Not logged in")
  const tokens = { isAuthenticated: loggedIn, hasAccessToken: loggedIn, hasRefreshToken: loggedIn }
  if (!loggedIn) return print(JSON.stringify({ status: "unauthenticated", ...tokens }))
  const userInfo = { email, userId: 123456, createdAt: "2025-01-01T00:00:00.000Z" }
  return print(JSON.stringify({ status: "authenticated", ...tokens, userInfo }))
}

export const about: Command = (invocation) => {
  const format = formatOf(invocation)
  if (typeof format === "object") return complain(format.complaint)
  const { environment, account } = invocation
  const model = currentModel(invocation)
  const shell = process.env["SHELL"]?.split("/").at(-1) ?? "unknown"
  if (format === "json")
    return print(
      JSON.stringify({
        cliVersion: environment.version,
        model,
        subscriptionTier: "Pro",
        osPlatform: platform(),
        osArch: arch(),
        userEmail: account.loggedIn ? email : null,
        terminalProgram: "unknown",
        shell,
        lastRequestId: null,
        latestVersion: environment.version
      })
    )
  const rows = [
    ["CLI Version", environment.version],
    ["Model", model],
    ["Subscription Tier", "Pro"],
    ["OS", `${platform()} (${arch()})`],
    ["Terminal", "unknown"],
    ["Shell", shell],
    ["User Email", account.loggedIn ? email : "Not logged in"]
  ]
  return print(["About Cursor CLI", "", ...rows.map(([name = "", value]) => `${name.padEnd(20)}${value}`)].join("\n"))
}

export const logIn: Command = async ({ environment, account }) => {
  const random = new Random(environment.seed)
  print("Open this URL to log in (simulated; nobody has to):")
  print(
    `https://cursor.com/loginDeepControl?challenge=${random.hex(32)}&uuid=${random.uuid()}&mode=login&redirectTarget=cli`
  )
  await new Timeline(environment.timeScale).wait(100)
  account.logIn()
  return print(`✓ Logged in as ${email}`)
}

export const logOut: Command = ({ account }) => {
  account.logOut()
  return print("Logged out")
}

const currentModel = ({ environment }: Invocation): string =>
  ModelSelection.stored(new CliConfig(environment.state).read()).model.name
