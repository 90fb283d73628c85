import { Component, type ComponentType, type ReactNode } from 'react';
import { useLocation } from 'react-router';

interface CatchProps {
  /** Shown in place of what failed. */
  fallback: ComponentType;
  children: ReactNode;
}

interface Failed {
  error?: unknown;
  at?: string;
}

/** Only a class can catch what fails while a page is drawn. The next page is another try. */
class Boundary extends Component<CatchProps & { at: string }, Failed> {
  override state: Failed = {};

  static getDerivedStateFromError = (error: unknown): Failed => ({ error: error ?? new Error('Nothing was thrown.') });

  static getDerivedStateFromProps({ at }: { at: string }, before: Failed): Failed {
    return before.at === at ? before : { at };
  }

  override render() {
    const { fallback: Fallback, children } = this.props;
    return this.state.error === undefined ? children : <Fallback />;
  }
}

export const Catch = (props: CatchProps) => <Boundary at={useLocation().pathname} {...props} />;
