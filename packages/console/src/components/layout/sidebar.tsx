import { Skeleton } from '@mantine/core';
import { IconApi } from '@tabler/icons-react';
import { Link } from 'react-router';
import { listOpenGroups, type OpenGroup, type OpenSection, useCurrentPage } from '../../context/current-page.ts';
import { API_REFERENCE } from '../../paths.ts';
import classes from './sidebar.module.css';

/** Sections of the current area, with labels or, on narrow screens, as icons. */
export const Sidebar = () => (
  <div className={classes.sidebar}>
    <Sections />
  </div>
);

interface SectionsProps {
  onFollow?: (() => void) | undefined;
}

export function Sections({ onFollow }: SectionsProps) {
  const place = useCurrentPage();
  return (
    <nav aria-label={place.area.label} className={classes.nav}>
      <div>
        {!place.caller && <SectionsOutline />}
        <SectionGroups groups={listOpenGroups(place)} onFollow={onFollow} />
      </div>
      <div className={classes.foot}>
        <a href={API_REFERENCE} className={classes.link}>
          <IconApi size={18} stroke={1.6} aria-hidden className={classes.icon} />
          <span className={classes.label}>API reference</span>
        </a>
      </div>
    </nav>
  );
}

export function SectionGroups({ groups, onFollow }: SectionsProps & { groups: OpenGroup[] }) {
  const { section: here } = useCurrentPage();
  return groups.map(({ heading, sections }, at) => (
    <div key={heading ?? at} className={classes.group}>
      {heading && <h2 className={classes.heading}>{heading}</h2>}
      <ul className={classes.list}>
        {sections.map((open) => (
          <li key={open.section.label}>
            <SectionLink {...open} isCurrent={open.section === here} onFollow={onFollow} />
          </li>
        ))}
      </ul>
    </div>
  ));
}

interface SectionLinkProps extends OpenSection {
  isCurrent: boolean;
  onFollow?: (() => void) | undefined;
}

function SectionLink({ section, to, isCurrent, onFollow }: SectionLinkProps) {
  const { label, icon: Icon, useBadge = noBadge } = section;
  const count = useBadge();
  return (
    <Link to={to} className={classes.link} aria-current={isCurrent ? 'page' : undefined} onClick={onFollow}>
      <Icon size={18} stroke={1.6} aria-hidden className={classes.icon} />
      <span className={classes.label}>{label}</span>
      {count ? <span className={classes.badge}>{count.toLocaleString()}</span> : null}
    </Link>
  );
}

const noBadge = (): undefined => undefined;

const SectionsOutline = () => (
  <div className={classes.group} role="status" aria-label="Loading">
    {['60%', '75%', '50%', '65%'].map((width) => (
      <Skeleton key={width} height={12} width={width} my={12} mx={10} />
    ))}
  </div>
);
