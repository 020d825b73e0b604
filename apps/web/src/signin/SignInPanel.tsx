import type { ProviderId } from "@signalbox/contracts/Provider"
import type { SignInMethod, SignInVariable } from "@signalbox/contracts/SignInMethod"
import { lazy, Suspense } from "react"
import { useNow } from "../connection/useNow.ts"
import { Button } from "../design/Button.tsx"
import { CopyCommand } from "../design/CopyCommand.tsx"
import { Lamp, StateWord } from "../design/Lamp.tsx"
import { duration, elapsed } from "../words/time.ts"
import { openable } from "../markdown/links.ts"
import { RequestCard } from "../requests/RequestCard.tsx"
import { announce } from "../browser/announcer.ts"
import { Revealed } from "../text/Revealed.tsx"
import styles from "./SignInPanel.module.css"
import { type Attempt, type SignIn, useSignIn } from "./useSignIn.ts"

const SignInTerminal = lazy(() => import("./SignInTerminal.tsx").catch(() => ({ default: NoTerminal })))

/** The server may be of another build by now, or out of reach. */
const NoTerminal = () => <p role="alert">The terminal could not be loaded. Reload the page, and sign in again.</p>

/** The ways in that an agent offers, and the one that is being tried. `onDone` is called once for each that succeeds. */
export const SignInPanel = (props: {
  readonly providerId: ProviderId
  readonly agent: string
  readonly methods: ReadonlyArray<SignInMethod>
  /** What happens after it, in words. */
  readonly afterwards: string
  readonly onDone: () => void
}) => {
  const { afterwards, agent, methods, onDone, providerId } = props
  const signIn = useSignIn(providerId, (accepted) => {
    announce(accepted ? `${agent} accepted it.` : `Signed in to ${agent}.`)
    onDone()
  })
  const { state } = signIn
  if (state.phase === "running") return <Running agent={agent} attempt={state.attempt} signIn={signIn} />
  if (state.phase === "done")
    return (
      <p className={styles["state"]}>
        <Lamp status="completed" />
        <StateWord status="completed">{state.accepted ? "Accepted" : "Signed in"}</StateWord>
        {state.accepted && (
          <span>
            {agent} does not report whether you are signed in. <Revealed text={state.method.description ?? ""} />
          </span>
        )}
        <span className="quiet">{afterwards}</span>
      </p>
    )
  return (
    <div className={styles["panel"]}>
      {state.phase === "failed" && (
        <p className={styles["state"]} role="alert">
          <Lamp status="failed" />
          <span>
            <b>{state.problem.title}</b> <span className="quiet">{state.problem.cause}</span>
          </span>
        </p>
      )}
      {methods.length === 0 && (
        <p className="quiet">{agent} names no way to sign in. Its own documentation says how to.</p>
      )}
      <ul className={styles["methods"]} aria-label={`Ways to sign in to ${agent}`}>
        {methods.map((method) => (
          <li key={method.id}>
            <Method method={method} begin={() => signIn.begin(method)} />
          </li>
        ))}
      </ul>
    </div>
  )
}

const Method = ({ begin, method }: { readonly method: SignInMethod; readonly begin: () => void }) => {
  const { command, description, link, name, type, vars = [] } = method
  const about = description !== undefined && description !== "" && (
    <span className="quiet">
      <Revealed text={description} />
    </span>
  )
  switch (type) {
    case "agent":
      return (
        <>
          <Button onClick={begin}>
            Sign in: <Revealed text={name} />
          </Button>
          {about}
        </>
      )
    case "terminal":
      return (
        <>
          <Button icon="run" onClick={begin}>
            Sign in: <Revealed text={name} />
          </Button>
          {about}
          <span className="meta">in a terminal, on this page</span>
          {command !== undefined && (
            <span className={styles["byHand"]}>
              <span className="meta">or by hand</span> <CopyCommand command={command} />
            </span>
          )}
        </>
      )
    case "env_var":
      return (
        <div className={styles["hint"]}>
          <p>
            <b>
              <Revealed text={name} />
            </b>{" "}
            {about}
          </p>
          {vars.map((variable) => (
            <Variable key={variable.name} variable={variable} />
          ))}
          <p className="meta">
            Set it where Signalbox is started, or in the agent’s settings, and start the agent again.{" "}
            {link !== undefined && <Link url={link} />}
          </p>
        </div>
      )
    case "unknown":
      return (
        <p className={styles["hint"]}>
          <b>
            <Revealed text={name} />
          </b>{" "}
          {about}{" "}
          {command === undefined ? (
            <span className="meta">Signalbox does not know this way, and does not begin it.</span>
          ) : (
            <span className={styles["byHand"]}>
              <span className="meta">Run this yourself, in a terminal:</span> <CopyCommand command={command} />
            </span>
          )}
        </p>
      )
  }
}

const Variable = ({ variable: { label, name, optional } }: { readonly variable: SignInVariable }) => (
  <p className={styles["byHand"]}>
    <CopyCommand command={`export ${name}=…`} />
    <span className="meta">
      <Revealed
        text={[label, optional === true ? "optional" : undefined].filter((text) => text !== undefined).join(", ")}
      />
    </span>
  </p>
)

/** An address of the agent's, whole. People open it themselves. */
const Link = ({ url }: { readonly url: string }) => {
  const address = openable(url)
  return address === undefined ? (
    <code>
      <Revealed text={url} />
    </code>
  ) : (
    <a className={`link ${styles["address"]}`} href={address.href} target="_blank" rel="noreferrer">
      {address.href}
    </a>
  )
}

const Running = (props: { readonly agent: string; readonly attempt: Attempt; readonly signIn: SignIn }) => {
  const { agent, attempt, signIn } = props
  const { lines, links, method, requests, since, waiting } = attempt
  const now = useNow(1000)
  return (
    <div className={styles["panel"]}>
      <p className={styles["state"]}>
        <Lamp status="sent" />
        <StateWord status="sent">Signing in</StateWord>
        <span className="grow">
          <Revealed text={method.name} />, {elapsed(Math.max(0, now - since))}
        </span>
        <Button onClick={signIn.cancel}>Cancel</Button>
      </p>
      {waiting && (
        <p className="quiet">
          {waiting.message} Signalbox gives up after {duration(waiting.limitMs)}.
        </p>
      )}
      {requests.map((open) => (
        <RequestCard key={open.request.requestId} open={open} agent={agent} cwd="/" respond={signIn.respond} />
      ))}
      {method.type === "terminal" && (
        <Suspense fallback={<p className="meta">Opening a terminal</p>}>
          <SignInTerminal label={`Terminal of ${agent}`} line={signIn.terminal} />
        </Suspense>
      )}
      {links.length > 0 && (
        <div>
          <p className="meta">
            {agent} wrote {links.length === 1 ? "this address" : "these addresses"}. Signalbox does not open it.
          </p>
          <ul>
            {links.map((url) => (
              <li key={url}>
                <Link url={url} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {lines.length > 0 && (
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls has to be reached by keyboard
        <pre className={`well ${styles["lines"]}`} tabIndex={0} aria-label={`What ${agent} writes`}>
          <Revealed output text={lines.join("\n")} />
        </pre>
      )}
    </div>
  )
}
