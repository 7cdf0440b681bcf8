/** A part of a page whose file comes when it is opened, and may be gone by then: a new version was installed meanwhile. */
import { Component, type ReactNode, Suspense } from 'react'
import { flash } from './flash.ts'
import { t } from './text.ts'

interface LateProps {
  children: ReactNode
  /** Stands there until it has come. */
  fallback?: ReactNode
  /** Takes back what opened it, so that it can be opened again. */
  onFail?: () => void
}

/** Shows nothing in the place of what cannot be shown; the page around it, with all that was typed, stays. */
class Boundary extends Component<LateProps, { failed: boolean }> {
  override state = { failed: false }
  static getDerivedStateFromError = () => ({ failed: true })
  override componentDidCatch(): void {
    flash.error(t('partMissing'))
    if (!this.props.onFail) return
    this.props.onFail()
    this.setState({ failed: false })
  }
  override render(): ReactNode {
    return this.state.failed ? null : this.props.children
  }
}

export const Late = ({ children, fallback, onFail }: LateProps) => (
  <Boundary {...(onFail ? { onFail } : {})}>
    <Suspense fallback={fallback}>{children}</Suspense>
  </Boundary>
)
