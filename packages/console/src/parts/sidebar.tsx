import { Drawer, Skeleton, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconApi } from '@tabler/icons-react';
import { Link } from 'react-router';
import { home } from '../areas/index.ts';
import { API_REFERENCE } from '../paths.ts';
import { type OpenGroup, type OpenSection, openGroups, useCurrentPage } from './current-page.ts';
import { useMe } from './me.ts';
import classes from './sidebar.module.css';

/** Between a phone and a wide screen there is room for icons only. */
const RAIL = '(min-width: 48em) and (max-width: 74.99em)';

/** The sections of the place that the reader is in: with names, or as icons where there is little room. */
export const Sidebar = () => (
  <div className={classes.sidebar}>
    <Sections isRail={useMediaQuery(RAIL, false, { getInitialValueInEffect: false })} />
  </div>
);

/** The same sections on a phone, above the page; and the way home, which the logo is elsewhere. */
export function SidebarDrawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { area, app, org } = useCurrentPage();
  const { is_admin } = useMe();
  const caller = is_admin ? 'administrator' : 'user';
  const elsewhere = openGroups({ area: home, caller, params: {} }).map((group) => ({ ...group, heading: home.label }));
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      title={app?.display_name ?? org?.display_name ?? area.label}
      size={300}
      closeButtonProps={{ 'aria-label': 'Close the menu' }}
      transitionProps={{ duration: 0 }}
    >
      <Sections onFollow={onClose} />
      {area !== home && (
        <nav aria-label={home.label} className={classes.foot}>
          <SectionGroups groups={elsewhere} onFollow={onClose} />
        </nav>
      )}
    </Drawer>
  );
}

interface SectionsProps {
  isRail?: boolean;
  onFollow?: (() => void) | undefined;
}

function Sections({ isRail = false, onFollow }: SectionsProps) {
  const current = useCurrentPage();
  return (
    <nav aria-label={current.area.label} className={classes.nav} data-rail={isRail || undefined}>
      <div>
        {!current.caller && <SectionsOutline />}
        <SectionGroups groups={openGroups(current)} isRail={isRail} onFollow={onFollow} />
      </div>
      <div className={classes.foot}>
        <Tooltip label="API reference" position="right" disabled={!isRail}>
          <a href={API_REFERENCE} className={classes.link}>
            <IconApi size={18} stroke={1.6} aria-hidden className={classes.icon} />
            <span className={classes.label}>API reference</span>
          </a>
        </Tooltip>
      </div>
    </nav>
  );
}

function SectionGroups({ groups, isRail = false, onFollow }: SectionsProps & { groups: OpenGroup[] }) {
  const { section: here } = useCurrentPage();
  return groups.map(({ heading, sections }, at) => (
    <div key={heading ?? at} className={classes.group}>
      {heading && <h2 className={classes.heading}>{heading}</h2>}
      <ul className={classes.list}>
        {sections.map((open) => (
          <li key={open.section.label}>
            <SectionLink {...open} isHere={open.section === here} isRail={isRail} onFollow={onFollow} />
          </li>
        ))}
      </ul>
    </div>
  ));
}

interface SectionLinkProps extends OpenSection {
  isHere: boolean;
  isRail: boolean;
  onFollow: (() => void) | undefined;
}

function SectionLink({ section, to, isHere, isRail, onFollow }: SectionLinkProps) {
  const { label, icon: Icon, useBadge = noBadge } = section;
  const count = useBadge();
  return (
    <Tooltip label={label} position="right" disabled={!isRail}>
      <Link to={to} className={classes.link} aria-current={isHere ? 'page' : undefined} onClick={onFollow}>
        <Icon size={18} stroke={1.6} aria-hidden className={classes.icon} />
        <span className={classes.label}>{label}</span>
        {count ? <span className={classes.badge}>{count.toLocaleString()}</span> : null}
      </Link>
    </Tooltip>
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
