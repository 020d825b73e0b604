/** Parts of the page that are loaded when they are first shown. */
import { reloadPage } from "../browser/surroundings.ts"
import { type ComponentType, lazy } from "react"
import { Button } from "./Button.tsx"
import styles from "./loaded.module.css"

/** The part, or a sentence and a way on where it can't be loaded. `what`: "The editor". */
export const loaded = <Props extends object>(what: string, load: () => Promise<ComponentType<Props>>) =>
  lazy<ComponentType<Props>>(() =>
    load().then(
      (part) => ({ default: part }),
      () => ({ default: () => <NotLoaded what={what} /> })
    )
  )

const NotLoaded = ({ what }: { readonly what: string }) => (
  <section className={styles["notLoaded"]} aria-label={what}>
    <p>{what} can’t be loaded. The server may have a newer page.</p>
    <Button onClick={reloadPage}>Reload the page</Button>
  </section>
)
