import { placeOf } from "@signalbox/contracts/Paths"
import { Lamp, StateWord } from "../design/Lamp.tsx"
import { FilePath } from "../text/FilePath.tsx"
import { Revealed } from "../text/Revealed.tsx"
import styles from "./WhatWillHappen.module.css"

/** The warning of a longer path stands before it, where it is seen. */
const longest = 300

/** A path, and a warning if by its text it leads out of the project, or may. */
export const Place = ({ cwd, path }: { readonly path: string; readonly cwd: string }) => {
  const { mark, resolved } = placeOf(path, cwd)
  const warning = mark !== undefined && (
    <span className={styles["outside"]}>
      <Lamp status="waiting" />
      <StateWord status="waiting">{mark}</StateWord>
    </span>
  )
  const isLong = path.length > longest
  return (
    <span className={styles["place"]}>
      {isLong && warning}
      <code>
        <FilePath path={path} asGiven />
      </code>
      {!isLong && warning}
      {resolved !== undefined && (
        <span className="meta">
          is{" "}
          <code>
            <Revealed text={resolved} />
          </code>
        </span>
      )}
    </span>
  )
}
