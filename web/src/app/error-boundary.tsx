import { Component, type ReactNode } from 'react';
import { ErrorScreen } from './error-screen.tsx';

type State = { error: unknown; failed: boolean };

/** Shows the error screen for an error that no page caught. React supports this only in classes. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null, failed: false };

  static getDerivedStateFromError(error: unknown): State {
    return { error, failed: true };
  }

  override render() {
    const { error, failed } = this.state;
    if (!failed) return this.props.children;
    const detail = error instanceof Error ? error.message : '';
    return <ErrorScreen text={detail ? `Unknown error: ${detail}` : 'Major error in UI!'} />;
  }
}
