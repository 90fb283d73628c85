import { useEffect } from 'react';
import { Navigate } from 'react-router';
import { Outline } from './loaded.tsx';
import { isServerPath } from './next-path.ts';

/** Goes on to a path of this site: a page of the console, or an address that the server itself answers. */
export function GoOn({ to }: { to: string }) {
  const isServers = isServerPath(to);
  useEffect(() => {
    if (isServers) window.location.replace(to);
  }, [isServers, to]);
  return isServers ? <Outline /> : <Navigate to={to} replace />;
}
