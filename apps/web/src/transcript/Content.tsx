/** Pieces of prompts and messages that are not plain text. Nothing is fetched. */
import type { ContentPart, PromptPart } from "@signalbox/contracts/Content"
import { useState } from "react"
import type { TextAddress } from "../connection/outputs.ts"
import { Markdown } from "../markdown/Markdown.tsx"
import { openable } from "../markdown/links.ts"
import { nameIn } from "./attachedNames.ts"
import styles from "./Content.module.css"
import { base64Bytes, byteSize } from "../words/figures.ts"
import { Output } from "./Output.tsx"
import { Raw } from "./Raw.tsx"
import { fileAddressed } from "../text/fileNames.ts"
import { FilePath } from "../text/FilePath.tsx"
import { proseText, Revealed, RevealedProse } from "../text/Revealed.tsx"
import { unfenced } from "./repeatedOutput.ts"

export const Content = (props: {
  readonly part: ContentPart | PromptPart
  /** The address of its text, when the part holds only the beginning. */
  readonly long?: TextAddress | undefined
  /** Its text is what a command printed: no Markdown, and its end is what matters. */
  readonly printed?: boolean
}) => {
  const { long, part, printed = false } = props
  switch (part.type) {
    case "text":
      if (printed) return <Output text={unfenced(part.text)} label="Output" long={long} />
      return long ? <Output text={part.text} label="Result" from="start" long={long} /> : <Markdown text={part.text} />
    case "image":
      return <Picture data={part.data} mimeType={part.mimeType} name={"name" in part ? part.name : undefined} />
    case "audio":
      return (
        <p className={styles["part"]}>
          Sound, <Named name={"name" in part ? part.name : undefined} mimeType={part.mimeType} />,{" "}
          {byteSize(base64Bytes(part.data))}. Signalbox does not play it.
        </p>
      )
    case "resource_link":
      return (
        <p className={styles["part"]}>
          {part.name !== "" && part.name !== part.uri && !part.uri.endsWith(`/${part.name}`) && (
            <>
              <RevealedProse text={part.name} />{" "}
            </>
          )}
          <Address uri={part.uri} />
        </p>
      )
    case "resource":
      return (
        <div className={`card ${styles["resource"] ?? ""}`}>
          <p className={styles["name"]}>
            <Address uri={part.uri} />
          </p>
          {part.text === undefined ? (
            <p className={styles["name"]}>Its content is not text.</p>
          ) : (
            <Output text={part.text} label={`Content of ${proseText(part.uri)}`} from="start" long={long} />
          )}
        </div>
      )
    case "unknown":
      return (
        <div className={`card ${styles["resource"] ?? ""}`}>
          <p className={styles["name"]}>A kind of content that Signalbox does not know.</p>
          <Raw json={part.raw} label="Raw content" />
        </div>
      )
  }
}

/** What a file is called, if it has a name, and what it is. */
const Named = ({ mimeType, name }: { readonly name: string | undefined; readonly mimeType: string }) => (
  <RevealedProse text={name === undefined ? mimeType : `${name}, ${mimeType}`} />
)

const Address = ({ uri }: { readonly uri: string }) => {
  const url = openable(uri)
  const file = uri.startsWith("file://") ? fileAddressed(uri) : undefined
  return url === undefined ? (
    <code>{file === undefined ? <Revealed text={nameIn(uri)} /> : <FilePath {...file} />}</code>
  ) : (
    <a className="link" href={url.href} target="_blank" rel="noreferrer">
      {url.href}
    </a>
  )
}

/** Bitmaps only: other kinds of images can hold what is not a picture. */
const bitmap = /^image\/(?:png|jpeg|gif|webp|avif)$/

const Picture = (props: { readonly data: string; readonly mimeType: string; readonly name: string | undefined }) => {
  const { data, mimeType, name } = props
  const [state, setState] = useState<"closed" | "open" | "refused">("closed")
  return (
    <div className={styles["part"]}>
      Image, <Named name={name} mimeType={mimeType} />, {byteSize(base64Bytes(data))}
      {bitmap.test(mimeType) && state === "closed" && (
        <button type="button" className="link" onClick={() => setState("open")}>
          Show
        </button>
      )}
      {state === "refused" && " The browser could not show it."}
      {state === "open" && (
        <img src={`data:${mimeType};base64,${data}`} alt="Sent with this message" onError={() => setState("refused")} />
      )}
    </div>
  )
}
