import { lazy, Suspense, useEffect, useState } from 'react';
import { browserHistory } from './history.ts';

const LeaveQuestion = lazy(() => import('./leave-question.tsx'));

/** While it is there, nobody leaves the page without being asked: something was typed that is kept nowhere. */
export function LeaveGuard() {
  const [goOn, setGoOn] = useState<() => void>();
  useEffect(() => browserHistory.hold((proceed) => setGoOn(() => proceed)), []);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, []);
  if (!goOn) return null;
  return (
    <Suspense>
      <LeaveQuestion onLeave={goOn} onStay={() => setGoOn(undefined)} />
    </Suspense>
  );
}
