import { Link } from 'react-router';
import { canOpen, getEntryPath, useCurrentPage } from '../../context/current-page.ts';
import classes from './section-tabs.module.css';

/** Tabs of a section that the user may open. */
export function SectionTabs() {
  const { section, entry, caller, params } = useCurrentPage();
  if (!section || !('tabs' in section) || !caller) return null;
  const open = section.tabs.filter((tab) => canOpen(tab, caller));
  if (open.length < 2) return null;
  return (
    <nav aria-label={section.label} className={classes.tabs}>
      {open.map((tab) => (
        <Link
          key={tab.page}
          to={getEntryPath(tab, params)}
          className={classes.tab}
          aria-current={tab === entry ? 'page' : undefined}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
