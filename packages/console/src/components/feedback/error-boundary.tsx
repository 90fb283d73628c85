import { Component, type ComponentType, type ReactNode } from 'react';
import { useLocation } from 'react-router';

interface ErrorBoundaryProps {
  /** Replaces the failed content. */
  fallback: ComponentType;
  children: ReactNode;
}

interface Failed {
  hasFailed: boolean;
}

/** Only class components can catch render errors. The next page tries again. */
class Boundary extends Component<ErrorBoundaryProps & { at: string }, Failed> {
  override state: Failed = { hasFailed: false };

  static getDerivedStateFromError = (): Failed => ({ hasFailed: true });

  override componentDidUpdate(before: { at: string }): void {
    if (this.state.hasFailed && before.at !== this.props.at) this.setState({ hasFailed: false });
  }

  override render() {
    const { fallback: Fallback, children } = this.props;
    return this.state.hasFailed ? <Fallback /> : children;
  }
}

export const ErrorBoundary = (props: ErrorBoundaryProps) => <Boundary at={useLocation().pathname} {...props} />;
