import { Outlet } from 'react-router';
import { mayOpen, useCurrentPage } from './current-page.ts';
import { Hidden } from './hidden.tsx';

/** The pages of an area, for whoever may use what they need. */
export function AreaPages() {
  const { section, entry, caller } = useCurrentPage();
  if (entry && section && caller && !mayOpen(entry, caller)) {
    return <Hidden isForbidden isPage reason={`“${section.label}” needs another role than yours.`} />;
  }
  return <Outlet />;
}
