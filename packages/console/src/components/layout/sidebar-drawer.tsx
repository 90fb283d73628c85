import { Drawer } from '@mantine/core';
import { home } from '../../areas/index.ts';
import { listOpenGroups, useCurrentPage } from '../../context/current-page.ts';
import { useCurrentUser } from '../../context/current-user.ts';
import { useFocusReturn } from '../dialogs/focus-return.ts';
import classes from './sidebar.module.css';
import { SectionGroups, Sections } from './sidebar.tsx';

/** The sidebar on a phone, with a link to the home page. */
export default function SidebarDrawer({ onClose }: { onClose: () => void }) {
  useFocusReturn();
  const { area, app, org } = useCurrentPage();
  const { is_admin } = useCurrentUser();
  const caller = is_admin ? 'administrator' : 'user';
  const elsewhere = listOpenGroups({ area: home, caller, params: {} }).map((group) => ({
    ...group,
    heading: home.label,
  }));
  return (
    <Drawer
      opened
      onClose={onClose}
      title={app?.display_name ?? org?.display_name ?? area.label}
      size={300}
      closeButtonProps={{ 'aria-label': 'Close menu' }}
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
