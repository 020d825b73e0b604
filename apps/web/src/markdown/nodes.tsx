/**
 * A tree of Markdown as elements. The list below is closed: what it does not name is shown as the text it came from, HTML included.
 * Nothing is fetched, and links leave only to what can be opened safely.
 */
import type { Nodes, Parents, Table as TableNode } from "mdast"
import type { ReactNode } from "react"
import { FileCode } from "../text/FilePath.tsx"
import { fileAddressed } from "../text/fileNames.ts"
import { FilesContext, useFileHref } from "../text/files.ts"
import { Prose } from "../text/Prose.tsx"
import { RevealedProse } from "../text/Revealed.tsx"
import { CodeBlock } from "./CodeBlock.tsx"
import { openable } from "./links.ts"
import styles from "./Markdown.module.css"

/** The address of each `[label]: address`, by label. */
export type Definitions = ReadonlyMap<string, string>

export const drawChildren = (parent: Parents, definitions: Definitions): ReactNode =>
  parent.children.map((child, index) =>
    child.type === "html" && (parent.type === "root" || parent.type === "blockquote") ? (
      // eslint-disable-next-line react/no-array-index-key -- text only grows at its end: a node's place is its identity
      <p key={index} className={styles["html"]}>
        {child.value}
      </p>
    ) : (
      // eslint-disable-next-line react/no-array-index-key -- as above
      <Node key={index} node={child} definitions={definitions} />
    )
  )

const Node = ({ definitions, node }: { readonly node: Nodes; readonly definitions: Definitions }): ReactNode => {
  switch (node.type) {
    case "text":
      return <Prose text={node.value} />
    case "html":
      return <RevealedProse text={node.value} />
    case "inlineCode":
      return <FileCode text={node.value} />
    case "code":
      return <CodeBlock code={node.value} language={node.lang ?? ""} />
    case "break":
      return <br />
    case "thematicBreak":
      return <hr />
    case "image":
      return <ImageLink address={node.url} words={node.alt ?? ""} />
    case "imageReference":
      return <ImageLink address={definitions.get(node.identifier) ?? ""} words={node.alt ?? ""} />
    case "footnoteReference":
      return <sup>[{node.label ?? node.identifier}]</sup>
    case "table":
      return <Table node={node} definitions={definitions} />
    case "definition":
    case "yaml":
      return null
    case "listItem": {
      // Without blank lines between items, their paragraphs are lines.
      const content = node.children.map((child, index) =>
        child.type === "paragraph" && !node.spread ? (
          // eslint-disable-next-line react/no-array-index-key -- as above
          <span key={index}>{drawChildren(child, definitions)}</span>
        ) : (
          // eslint-disable-next-line react/no-array-index-key -- as above
          <Node key={index} node={child} definitions={definitions} />
        )
      )
      if (typeof node.checked !== "boolean") return <li>{content}</li>
      return (
        <li className={styles["task"]}>
          <input type="checkbox" checked={node.checked} disabled aria-label={node.checked ? "done" : "to do"} />{" "}
          {content}
        </li>
      )
    }
    case "link":
      return <Link address={node.url}>{drawChildren(node, definitions)}</Link>
    case "linkReference":
      return <Link address={definitions.get(node.identifier) ?? ""}>{drawChildren(node, definitions)}</Link>
    case "root":
    case "paragraph":
    case "heading":
    case "emphasis":
    case "strong":
    case "delete":
    case "blockquote":
    case "list":
    case "footnoteDefinition":
    case "tableRow":
    case "tableCell":
      return <Element node={node} definitions={definitions} />
  }
}

/** Nodes that are nothing but an element around their children. Entries are headings of level 3: headings in them start below. */
const Element = ({
  definitions,
  node
}: {
  readonly node: Exclude<Parents, { readonly type: "listItem" | "link" | "linkReference" | "table" }>
  readonly definitions: Definitions
}): ReactNode => {
  const children = drawChildren(node, definitions)
  switch (node.type) {
    case "paragraph":
      return <p>{children}</p>
    case "heading":
      return node.depth === 1 ? <h4>{children}</h4> : node.depth === 2 ? <h5>{children}</h5> : <h6>{children}</h6>
    case "emphasis":
      return <em>{children}</em>
    case "strong":
      return <strong>{children}</strong>
    case "delete":
      return <del>{children}</del>
    case "blockquote":
      return <blockquote>{children}</blockquote>
    case "list":
      return node.ordered ? <ol start={node.start ?? 1}>{children}</ol> : <ul>{children}</ul>
    case "footnoteDefinition":
      return (
        <div className={styles["footnote"]}>
          <sup>[{node.label ?? node.identifier}]</sup> {children}
        </div>
      )
    case "root":
    case "tableRow":
    case "tableCell":
      return children
  }
}

const Link = ({ address, children }: { readonly address: string; readonly children: ReactNode }) => {
  const url = openable(address)
  const file = url === undefined ? fileAddressed(address) : undefined
  const href = useFileHref(file?.path, file?.line)
  // A link holds no other links.
  const words = <FilesContext value={undefined}>{children}</FilesContext>
  if (href !== undefined)
    return (
      <a className="link" href={href} title={address}>
        {words}
      </a>
    )
  if (url === undefined)
    return (
      <span className={styles["refused"]} title={`Not a web address, so not a link: ${address}`}>
        {words}
      </span>
    )
  return (
    <a className="link" href={url.href} title={url.href} target="_blank" rel="noreferrer">
      {words}
    </a>
  )
}

/** An image is not fetched: whoever serves it would learn that it was looked at. */
const ImageLink = ({ address, words }: { readonly address: string; readonly words: string }) => (
  <span className={styles["image"]}>
    Image:{" "}
    <Link address={address}>
      <RevealedProse text={words === "" ? address : words} />
    </Link>
  </span>
)

const Table = ({ definitions, node }: { readonly node: TableNode; readonly definitions: Definitions }) => {
  const [head, ...rows] = node.children
  const align = (column: number) => node.align?.[column] ?? undefined
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/prefer-tag-over-role -- a box that scrolls has to be reached by keyboard
    <div className={styles["table"]} tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {head?.children.map((cell, column) => (
              // eslint-disable-next-line react/no-array-index-key -- a column is its place
              <th key={column} data-align={align(column)}>
                {drawChildren(cell, definitions)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // eslint-disable-next-line react/no-array-index-key -- rows are only added at the end
            <tr key={index}>
              {row.children.map((cell, column) => (
                // eslint-disable-next-line react/no-array-index-key -- a column is its place
                <td key={column} data-align={align(column)}>
                  {drawChildren(cell, definitions)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
