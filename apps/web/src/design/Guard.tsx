import { Component, type ReactNode } from "react"

interface GuardProps {
  /** What the children are drawn from. Where it changes, they are tried again. */
  readonly source: unknown
  /** What stands in their place, with what went wrong. */
  readonly renderBroken: (failure: string) => ReactNode
  readonly children: ReactNode
}

interface GuardState {
  readonly failure: string | null
}

/** One part of the page that can't be drawn must not take the page with it. */
export class Guard extends Component<GuardProps, GuardState> {
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
    return failure === null ? this.props.children : this.props.renderBroken(failure)
  }
}
