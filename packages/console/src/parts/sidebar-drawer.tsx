import { Drawer } from '@mantine/core';
import { home } from '../areas/index.ts';
import { openGroups, useCurrentPage } from './current-page.ts';
import { useFocusReturn } from './focus-return.ts';
import { useMe } from './me.ts';
import classes from './sidebar.module.css';
import { SectionGroups, Sections } from './sidebar.tsx';

/** The same sections on a phone, above the page; and the way home, which the logo is elsewhere. */
export default function SidebarDrawer({ onClose }: { onClose: () => void }) {
  useFocusReturn();
  const { area, app, org } = useCurrentPage();
  const { is_admin } = useMe();
  const caller = is_admin ? 'administrator' : 'user';
  const elsewhere = openGroups({ area: home, caller, params: {} }).map((group) => ({ ...group, heading: home.label }));
  return (
    <Drawer
      opened
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
