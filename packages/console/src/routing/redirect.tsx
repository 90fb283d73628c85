import { useEffect } from 'react';
import { Navigate } from 'react-router';
import { LoadingSkeleton } from '../components/feedback/query-boundary.tsx';
import { isServerPath } from './next-path.ts';

/** Redirects to a path of the console or of the server. */
export function Redirect({ to }: { to: string }) {
  const isServers = isServerPath(to);
  useEffect(() => {
    if (isServers) window.location.replace(to);
  }, [isServers, to]);
  return isServers ? <LoadingSkeleton /> : <Navigate to={to} replace />;
}
