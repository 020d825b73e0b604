import { protocolVersion } from "@signalbox/contracts/ServerInfo"
import { link, ownClient, tryNow } from "../connection/link.ts"
import { useStore } from "../browser/Store.ts"
import { threads } from "../connection/threads.ts"
import { Button } from "../design/Button.tsx"
import { CopyCommand } from "../design/CopyCommand.tsx"
import { OwnScope } from "../design/scope.ts"
import { Frame } from "./Frame.tsx"
import { Notice } from "./Notice.tsx"

export const App = () => (
  <OwnScope value={useStore(ownClient)?.scope}>
    <Shown />
  </OwnScope>
)

/** The page, or why there is none. What was once shown stays, under a banner. */
const Shown = () => {
  const state = useStore(link)
  const rows = useStore(threads)
  if (state.state === "outdated")
    return (
      <Notice
        title="Reload the page"
        actions={
          <Button solid onClick={() => location.reload()}>
            Reload the page
          </Button>
        }
      >
        <p>
          The server is Signalbox {state.server.version}; this page is of another build and can no longer understand it
          (protocol {protocolVersion} here, {state.server.protocolVersion} there). Drafts are kept in this browser.
        </p>
      </Notice>
    )
  if (rows !== undefined) return <Frame link={state} threads={rows} />
  switch (state.state) {
    case "locked":
      return (
        <Notice
          title={state.refused ? "This link is from an earlier start" : "This page needs its link"}
          actions={
            <>
              <CopyCommand command="npx signalbox serve" />
              <Button onClick={tryNow}>Try now</Button>
            </>
          }
        >
          {state.refused ? (
            <p>
              Signalbox gives out a new link each time it starts, and doesn’t take the token of this one any more. An
              invitation can be used once.
            </p>
          ) : (
            <p>
              Signalbox answers only browsers that came by the link it prints when it starts, and forgets those that
              were away for 30 days. It doesn’t know this one.
            </p>
          )}
          <p>
            Open the newest link from the terminal. Without that terminal, run this in the folder that Signalbox is
            installed in; it prints a link:
          </p>
        </Notice>
      )
    case "down":
      return (
        <Notice
          title="Signalbox’s server doesn’t answer"
          actions={
            <>
              <CopyCommand command="npx signalbox serve" />
              <Button onClick={tryNow}>Try now</Button>
            </>
          }
        >
          <p>
            Nothing of Signalbox answers at {location.host}. If it isn’t running, start it in the folder that it is
            installed in; it prints the link of this page. This page tries again by itself.
          </p>
        </Notice>
      )
    case "unreadable":
      return (
        <Notice
          title="This page could not read what the server sent"
          actions={
            <Button solid onClick={() => location.reload()}>
              Reload the page
            </Button>
          }
        >
          <p>{state.cause.split("\n")[0]}</p>
        </Notice>
      )
    case "opening":
    case "open":
      return (
        <main>
          <p className="unseen">Connecting to Signalbox</p>
        </main>
      )
  }
}
