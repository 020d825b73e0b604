/** What an approval lets happen, read by Signalbox from the request itself and shown in full. What can't be read is named. */
import type { FileDiff, ToolCall } from "@signalbox/contracts/ToolCall"
import { Lamp, StateWord } from "../design/Lamp.tsx"
import { Diff, DiffFigures } from "../diff/Diff.tsx"
import { isInside, resolvePath } from "../transcript/paths.ts"
import { Raw } from "../transcript/Raw.tsx"
import { Revealed } from "../transcript/Revealed.tsx"
import { CardPart } from "./CardFrame.tsx"
import { CommandParts } from "./CommandParts.tsx"
import styles from "./WhatWillHappen.module.css"

export interface WhatProps {
  readonly tool: ToolCall
  readonly agent: string
  readonly cwd: string
}

export const WhatWillHappen = (props: WhatProps) => {
  const { agent, cwd, tool } = props
  const { diffs, subject } = tool
  return (
    <CardPart>
      <Subject {...props} />
      {diffs.map((diff, index) => (
        // eslint-disable-next-line react/no-array-index-key -- one file may be changed twice
        <Change key={index} diff={diff} cwd={cwd} />
      ))}
      <dl className={styles["facts"]}>
        {subject.type === "command" && (
          <>
            <dt>Starts in</dt>
            <dd>
              <Place path={subject.cwd ?? cwd} cwd={cwd} />
              {subject.cwd === undefined && <span className="meta"> this thread’s folder; the request names none</span>}
            </dd>
          </>
        )}
        <dt>Who does it</dt>
        <dd>{agent} does. Signalbox can answer, but not contain it.</dd>
      </dl>
    </CardPart>
  )
}

const Subject = ({ agent, cwd, tool }: WhatProps) => {
  const { diffs, locations, rawInput, subject } = tool
  switch (subject.type) {
    case "command":
      return <CommandParts command={subject.command} />
    case "file":
      return diffs.length > 0 ? (
        <Heading text="What will change" />
      ) : (
        <Fact heading={tool.kind === "read" ? "What will be read" : "Which file"}>
          <Place path={subject.path} cwd={cwd} />
        </Fact>
      )
    case "url":
      return (
        <Fact heading="What will be fetched">
          <code className={styles["whole"]}>
            <Revealed text={subject.url} />
          </code>
          <Host url={subject.url} />
        </Fact>
      )
    case "search":
      return (
        <Fact heading="What will be searched for">
          <code className={styles["whole"]}>
            <Revealed text={subject.pattern} />
          </code>
          {subject.path !== undefined && (
            <p>
              in <Place path={subject.path} cwd={cwd} />
            </p>
          )}
        </Fact>
      )
    case "mcp":
      return (
        <Fact heading="What will be used">
          <dl className={styles["facts"]}>
            <dt>Server</dt>
            <dd>
              <code>
                <Revealed text={subject.server} />
              </code>
            </dd>
            <dt>Tool</dt>
            <dd>
              <code>
                <Revealed text={subject.tool} />
              </code>
            </dd>
          </dl>
          {subject.args === undefined ? (
            <Unread reason={`${agent} did not send the arguments.`} />
          ) : (
            <div className={styles["box"]}>
              <Raw json={subject.args} label="Arguments" />
            </div>
          )}
        </Fact>
      )
    case "task":
      return (
        <Fact heading="What the sub-agent is told">
          <blockquote className={styles["told"]}>{subject.prompt ?? subject.description}</blockquote>
          {subject.prompt === undefined && <Unread reason={`${agent} sent its description only.`} />}
        </Fact>
      )
    case "none":
      if (diffs.length > 0) return <Heading text="What will change" />
      return (
        <>
          <Unread
            reason={
              rawInput === undefined
                ? `The request holds no input, so nobody but ${agent} knows what it stands for.`
                : "Signalbox does not know this kind of input. It is shown as it was sent."
            }
          />
          {locations.length > 0 && (
            <Fact heading="Files that it names">
              {locations.map(({ line, path }) => (
                <p key={`${path}:${line ?? ""}`}>
                  <Place path={path} cwd={cwd} />
                </p>
              ))}
            </Fact>
          )}
          {rawInput !== undefined && (
            <div className={styles["box"]}>
              <Raw json={rawInput} label="Input as it was sent" />
            </div>
          )}
        </>
      )
  }
}

export const Heading = ({ text }: { readonly text: string }) => (
  <h3 className={styles["heading"]}>
    {text} <span>read by Signalbox from the request, in full</span>
  </h3>
)

const Fact = (props: { readonly heading: string; readonly children: React.ReactNode }) => (
  <>
    <Heading text={props.heading} />
    {props.children}
  </>
)

const Unread = ({ reason }: { readonly reason: string }) => (
  <div className={styles["unread"]}>
    <Lamp status="waiting" />
    <p>
      <StateWord status="waiting">Can’t be inspected</StateWord>
      <span>{reason}</span>
    </p>
  </div>
)

/** A path, and a warning if by its text it leads out of the project. */
const Place = ({ cwd, path }: { readonly path: string; readonly cwd: string }) => {
  const resolved = resolvePath(path, cwd)
  return (
    <span className={styles["place"]}>
      <code>
        <Revealed text={path} />
      </code>
      {!isInside(path, cwd) ? (
        <span className={styles["outside"]}>
          <Lamp status="waiting" />
          <StateWord status="waiting">Outside the project</StateWord>
        </span>
      ) : null}
      {resolved !== path && path.includes("..") && (
        <span className="meta">
          is <code>{resolved}</code>
        </span>
      )}
    </span>
  )
}

const Host = ({ url }: { readonly url: string }) => {
  if (!URL.canParse(url)) return <Unread reason="This is not a complete address, so its host is not known." />
  const { host, username } = new URL(url)
  return (
    <dl className={styles["facts"]}>
      <dt>Host</dt>
      <dd>
        {/* Letters of other scripts appear in their ASCII form: a look-alike can't hide. */}
        <code>{host === "" ? "none" : host}</code>
        {host.includes("xn--") && !url.toLowerCase().includes(host) && (
          <span className={styles["outside"]}>
            <Lamp status="waiting" />
            <StateWord status="waiting">Written with letters of another script</StateWord>
          </span>
        )}
      </dd>
      {username !== "" && (
        <>
          <dt>Carries</dt>
          <dd>A user name before the host.</dd>
        </>
      )}
    </dl>
  )
}

const Change = ({ cwd, diff }: { readonly diff: FileDiff; readonly cwd: string }) => (
  <div className={styles["box"]}>
    <p className={styles["file"]}>
      <Place path={diff.path} cwd={cwd} />
      {diff.oldText === null && <span className="tag">new</span>}
      <span className={styles["figures"]}>
        <DiffFigures diffs={[diff]} />
      </span>
    </p>
    <Diff diff={diff} />
  </div>
)
