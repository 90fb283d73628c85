import { Outlet } from 'react-router';
import { canOpen, useCurrentPage } from '../../context/current-page.ts';
import { AccessDenied } from '../feedback/access-denied.tsx';

/** Renders an area's pages if the user has the permission they need. */
export function AreaPages() {
  const { section, entry, caller } = useCurrentPage();
  if (entry && section && caller && !canOpen(entry, caller)) {
    return (
      <AccessDenied
        isForbidden
        isPage
        reason={`Your role has no access to “${section.label}”. Ask an administrator or a manager for access.`}
      />
    );
  }
  return <Outlet />;
}
