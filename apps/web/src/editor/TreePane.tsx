/** The tree of files beside the text. It is loaded when it is first shown. */
import { type ComponentProps, lazy, Suspense } from "react"
import { ctrl } from "../browser/shortcuts.ts"
import { Button } from "../design/Button.tsx"
import styles from "./EditorRoom.module.css"

const FileTree = lazy(() => import("./FileTree.tsx"))

export const TreePane = ({
  onSearch,
  ...tree
}: ComponentProps<typeof FileTree> & { readonly onSearch: () => void }) => (
  <div className={styles["tree"]}>
    <Button icon="search" className={styles["treeSearch"]} title={`${ctrl} P`} onClick={onSearch}>
      Open a file
    </Button>
    <Suspense>
      <FileTree {...tree} />
    </Suspense>
  </div>
)
