import { Outlet } from 'react-router';
import { Hidden } from './hidden.tsx';
import { mayOpen, usePlace } from './place.ts';

/** The pages of an area, for whoever may use what they need. */
export function AreaPages() {
  const { section, entry, caller } = usePlace();
  if (entry && section && caller && !mayOpen(entry, caller)) {
    return <Hidden isForbidden isPage reason={`“${section.label}” needs another role than yours.`} />;
  }
  return <Outlet />;
}
