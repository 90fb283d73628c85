import { Text } from '@mantine/core';
import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { Confirm } from './confirm.tsx';

const nothing = { isPending: false, error: null };

/** While it is there, nobody leaves the page without being asked: something was typed that is kept nowhere. */
export function LeaveGuard() {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, []);
  if (blocker.state !== 'blocked') return null;
  return (
    <Confirm
      title="Leave this page?"
      action="Leave"
      doing={nothing}
      onConfirm={() => blocker.proceed()}
      onClose={() => blocker.reset()}
    >
      <Text>What you typed is lost.</Text>
    </Confirm>
  );
}
