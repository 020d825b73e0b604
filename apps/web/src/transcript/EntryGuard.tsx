import { Component, type ReactNode } from "react"
import { EntryFrame, EntryLine } from "./Entry.tsx"
import styles from "./Entry.module.css"
import { Raw } from "./Raw.tsx"

interface GuardProps {
  /** What the entry is drawn from. */
  readonly source: object
  readonly at: number
  readonly children: ReactNode
}

interface GuardState {
  readonly failure: string | null
}

/** One entry that can't be drawn must not take the page with it: it says so and shows what it was to show. */
export class EntryGuard extends Component<GuardProps, GuardState> {
  override state: GuardState = { failure: null }

  static getDerivedStateFromError(error: unknown): GuardState {
    return { failure: error instanceof Error ? error.message : String(error) }
  }

  /** What changed since may be drawn again. */
  override componentDidUpdate(before: GuardProps) {
    if (this.state.failure !== null && before.source !== this.props.source)
      // eslint-disable-next-line react/no-did-update-set-state -- only after a failure, and once per change
      this.setState({ failure: null })
  }

  override render() {
    const { failure } = this.state
    if (failure === null) return this.props.children
    return (
      <EntryFrame at={this.props.at} icon="unknown">
        <div className={styles["paper"]}>
          <EntryLine verb="This entry can’t be drawn">
            <span className={styles["text"]}>{failure}</span>
          </EntryLine>
          <div className={styles["open"]}>
            <Raw json={JSON.stringify(this.props.source)} label="What the entry was to show" />
          </div>
        </div>
      </EntryFrame>
    )
  }
}
