import { Link } from 'react-router';
import { mayOpen, pathOf, useCurrentPage } from './current-page.ts';
import classes from './tabs.module.css';

/** The pages that share a section, as far as the reader may open them. */
export function SectionTabs() {
  const { section, entry, caller, params } = useCurrentPage();
  if (!section || !('tabs' in section) || !caller) return null;
  const open = section.tabs.filter((tab) => mayOpen(tab, caller));
  if (open.length < 2) return null;
  return (
    <nav aria-label={section.label} className={classes.tabs}>
      {open.map((tab) => (
        <Link
          key={tab.page}
          to={pathOf(tab, params)}
          className={classes.tab}
          aria-current={tab === entry ? 'page' : undefined}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
