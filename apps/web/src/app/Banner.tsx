import { type LinkState, tryNow } from "../connection/link.ts"
import { useNow } from "../connection/useNow.ts"
import { Button } from "../design/Button.tsx"
import { clock } from "../words/time.ts"
import { Strip } from "./Strip.tsx"

const connection = { label: "Connection", lamp: "failed" } as const

/** Says that the page is no longer live. */
export const Banner = ({ link }: { readonly link: LinkState }) => {
  switch (link.state) {
    case "down":
      return (
        <Strip
          {...connection}
          action={
            <Button inert={link.retryAt === undefined} onClick={tryNow}>
              Try now
            </Button>
          }
        >
          <b>Signalbox’s server stopped answering at {clock(link.since)}.</b> What you see is from then. Agents may
          still be running.{" "}
          <span className="quiet">
            {link.retryAt === undefined ? "Trying now" : <Countdown until={link.retryAt} />}, attempt {link.attempt}.
          </span>
        </Strip>
      )
    case "locked":
      return (
        <Strip {...connection} action={<Button onClick={tryNow}>Try now</Button>}>
          <b>Signalbox doesn’t know this browser any more.</b> What you see is from {clock(link.since)}. Open the link
          that it printed when it started.
        </Strip>
      )
    case "unreadable":
      return (
        <Strip {...connection} action={<Button onClick={() => location.reload()}>Reload the page</Button>}>
          <b>This page could not read what the server sent at {clock(link.since)}.</b> What you see is from then.{" "}
          <span className="quiet">{link.cause.split("\n")[0]}</span>
        </Strip>
      )
    case "opening":
    case "open":
    case "outdated":
      return null
  }
}

const Countdown = ({ until }: { readonly until: number }) => {
  const seconds = Math.ceil((until - useNow(250)) / 1000)
  return seconds <= 0 ? "Trying now" : `Trying again in ${seconds} s`
}
