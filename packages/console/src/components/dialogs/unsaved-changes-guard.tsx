import { lazy, Suspense, useEffect, useState } from 'react';
import { browserHistory } from '../../routing/history.ts';

const UnsavedChangesDialog = lazy(() => import('./unsaved-changes.tsx'));

/** Asks before the user leaves the page with unsaved changes. */
export function UnsavedChangesGuard() {
  const [leave, setLeave] = useState<() => void>();
  useEffect(() => browserHistory.hold((proceed) => setLeave(() => proceed)), []);
  useEffect(() => {
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', preventUnload);
    return () => window.removeEventListener('beforeunload', preventUnload);
  }, []);
  if (!leave) return null;
  return (
    <Suspense>
      <UnsavedChangesDialog onLeave={leave} onStay={() => setLeave(undefined)} />
    </Suspense>
  );
}
