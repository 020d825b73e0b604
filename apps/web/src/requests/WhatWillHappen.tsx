/** Shows what an approval allows, as Signalbox reads it from the request. Unreadable parts are listed. */
import type { UnreadMember } from "@signalbox/contracts/InputMembers"
import type { Judgement } from "@signalbox/contracts/Judgement"
import type { FileDiff, ToolCall } from "@signalbox/contracts/ToolCall"
import type { InputFact } from "@signalbox/contracts/ToolInput"
import { readTool, type ToolReading } from "@signalbox/contracts/ToolReading"
import { createContext, useContext, useMemo } from "react"
import { Lamp, StateWord } from "../design/Lamp.tsx"
import { Diff, DiffFigures } from "../diff/Diff.tsx"
import { count } from "../words/figures.ts"
import { Raw } from "../transcript/Raw.tsx"
import { Revealed } from "../text/Revealed.tsx"
import { CardPart } from "./CardFrame.tsx"
import { CommandParts } from "./CommandParts.tsx"
import { LongText } from "./LongText.tsx"
import { Place } from "./Place.tsx"
import { Leaves, OpenedFile, VerdictWords } from "./Verdict.tsx"
import styles from "./WhatWillHappen.module.css"

/** Whether the reading shows everything in the request. */
const WholeContext = createContext(false)

export const WhatWillHappen = (props: {
  readonly tool: ToolCall
  readonly judgement: Judgement | undefined
  readonly agent: string
  readonly cwd: string
}) => {
  const { agent, cwd, judgement = nothing, tool } = props
  const reading = useMemo(() => readTool(tool, cwd), [tool, cwd])
  const { leaves, obstacles = [], paths } = judgement
  const { alsoNames, diffs, facts, gaps, subject, unlisted, unread } = reading
  return (
    <WholeContext value={gaps.length + obstacles.length === 0}>
      <CardPart>
        {gaps.length + obstacles.length > 0 && <Unread reasons={[...new Set([...gaps, ...obstacles])]} />}
        <Subject reading={reading} kind={tool.kind} cwd={cwd} judged={judgement.commands} />
        {diffs.map((diff, index) => (
          // eslint-disable-next-line react/no-array-index-key -- one file may be changed twice
          <Change key={index} diff={diff} cwd={cwd} />
        ))}
        {unread.length > 0 && <UnreadMembers members={unread} unlisted={unlisted} />}
        <dl className={styles["facts"]}>
          {facts.map((fact, index) => (
            // eslint-disable-next-line react/no-array-index-key -- two facts may have one name
            <Row key={index} name={fact.name}>
              <FactValue fact={fact} cwd={cwd} />
            </Row>
          ))}
          {subject.type === "command" && (
            <Row name="Starts in">
              <Place path={subject.cwd ?? cwd} cwd={cwd} />
              {subject.cwd === undefined && <span className="meta"> this thread’s folder; the request names none</span>}
            </Row>
          )}
          {alsoNames.length > 0 && (
            <Row name="Also names">
              {alsoNames.map((path) => (
                <p key={path}>
                  <Place path={path} cwd={cwd} />
                </p>
              ))}
            </Row>
          )}
          {subject.type === "command" && paths.length > 0 && (
            <Row name="The shell">
              {paths.map((file) => (
                <OpenedFile key={`${file.access} ${file.path}`} file={file} />
              ))}
            </Row>
          )}
          {leaves !== undefined && (
            <Row name="Where to">
              <Leaves how={leaves} />
            </Row>
          )}
          {subject.type !== "command" && props.judgement !== undefined && (
            <Row name="Rules">
              <VerdictWords verdict={props.judgement} />
            </Row>
          )}
          <Row name="Who does it">{agent} does. Signalbox can answer, but not contain it.</Row>
        </dl>
      </CardPart>
    </WholeContext>
  )
}

const Row = ({ children, name }: { readonly name: React.ReactNode; readonly children: React.ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

const FactValue = ({ cwd, fact }: { readonly fact: InputFact; readonly cwd: string }) => {
  const { is, name, value } = fact
  if (is === "sentence") return `${value}.`
  return is === "path" ? <Place path={value} cwd={cwd} /> : <LongText text={value} label={name} />
}

const nothing: Pick<Judgement, "commands" | "leaves" | "obstacles" | "paths"> = { commands: [], paths: [] }

const Subject = (props: {
  readonly reading: ToolReading
  readonly kind: ToolCall["kind"]
  readonly cwd: string
  readonly judged: Judgement["commands"]
}) => {
  const { cwd, judged, kind, reading } = props
  const { diffs, subject } = reading
  switch (subject.type) {
    case "command":
      return (
        <Fact heading="What will run">
          <CommandParts command={subject.command} judged={judged} />
        </Fact>
      )
    case "file":
      return diffs.length > 0 ? (
        <Heading text="What will change" />
      ) : (
        <Fact heading={kind === "read" ? "What will be read" : "Which file"}>
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
            <Row name="Server">
              <code>
                <Revealed text={subject.server} />
              </code>
            </Row>
            <Row name="Tool">
              <code>
                <Revealed text={subject.tool} />
              </code>
            </Row>
          </dl>
          {subject.args !== undefined && (
            <div className={styles["box"]}>
              <Raw json={subject.args} label="Arguments" />
            </div>
          )}
        </Fact>
      )
    case "task":
      return (
        <Fact heading="The sub-agent's prompt">
          <blockquote className={styles["told"]}>
            <Revealed text={subject.prompt ?? subject.description} />
          </blockquote>
          {subject.agent !== undefined && (
            <dl className={styles["facts"]}>
              <Row name="Sub-agent">
                <Revealed text={subject.agent} />
              </Row>
            </dl>
          )}
        </Fact>
      )
    case "none":
      return diffs.length > 0 ? <Heading text="What will change" /> : null
  }
}

/** Rows of members that are drawn. */
const mostMembers = 100

/** Members of the request under the names that the agent gave them. Paths of deeper ones show in the value. */
const UnreadMembers = (props: { readonly members: ReadonlyArray<UnreadMember>; readonly unlisted: number }) => {
  const { members, unlisted } = props
  const left = Math.max(0, members.length - mostMembers) + unlisted
  return (
    <>
      <h3 className={styles["heading"]}>
        Not understood <span>as it was sent</span>
      </h3>
      <dl className={styles["facts"]}>
        {members.slice(0, mostMembers).map(({ name, value }, index) => (
          // eslint-disable-next-line react/no-array-index-key -- members have no other identity
          <Row key={index} name={name === "" ? "Input" : <Revealed text={name} />}>
            <LongText text={value} label={name} />
          </Row>
        ))}
      </dl>
      {left > 0 && (
        <p className="meta">{count(left, "more part", "more parts")}. All of them: As it was asked, below.</p>
      )}
    </>
  )
}

/** Says "in full" only of a request that is understood in full. */
const Heading = ({ text }: { readonly text: string }) => (
  <h3 className={styles["heading"]}>
    {text} <span>read by Signalbox from the request{useContext(WholeContext) ? ", in full" : ", in part"}</span>
  </h3>
)

const Fact = (props: { readonly heading: string; readonly children: React.ReactNode }) => (
  <>
    <Heading text={props.heading} />
    {props.children}
  </>
)

const Unread = ({ reasons }: { readonly reasons: ReadonlyArray<string> }) => (
  <div className={styles["unread"]}>
    <Lamp status="waiting" />
    <p>
      <StateWord status="waiting">Can’t be inspected</StateWord>
      {reasons.map((reason) => (
        <span key={reason}>
          <Revealed text={reason} />
        </span>
      ))}
    </p>
  </div>
)

const Host = ({ url }: { readonly url: string }) => {
  if (!URL.canParse(url)) return <Unread reasons={["This is not a complete address, so its host is not known."]} />
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
