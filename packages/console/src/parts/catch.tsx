import { Component, type ComponentType, type ReactNode } from 'react';
import { useLocation } from 'react-router';

interface CatchProps {
  /** Shown in place of what failed. */
  fallback: ComponentType;
  children: ReactNode;
}

interface Failed {
  hasFailed: boolean;
}

/** Only a class can catch what fails while a page is drawn. The next page is another try. */
class Boundary extends Component<CatchProps & { at: string }, Failed> {
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

export const Catch = (props: CatchProps) => <Boundary at={useLocation().pathname} {...props} />;
